"""Lists with a place for each item grow instead, where the loop can then be stacked."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

BODY = """import numpy as np


def f(mats: np.ndarray):
    found = {made}
    {before}
    for {head}:
        {store}
    return found
"""


def ported(
    made: str = "[None] * len(mats)",
    head: str = "i, m in enumerate(mats)",
    store: str = "found[i] = np.linalg.det(m)",
    before: str = "rows = len(mats)",
) -> str:
    text = BODY.format(made=made, head=head, store=store, before=before)
    return port_module(parse("module.py", text), Config()).after or text


@pytest.mark.parametrize(
    ("made", "head"),
    [
        ("[None] * len(mats)", "i, m in enumerate(mats)"),
        ("mats.shape[0] * [0.0]", "i, m in enumerate(mats)"),
        ("[None for _ in range(len(mats))]", "i, m in enumerate(mats)"),
        ("[None] * len(mats)", "i in range(rows)"),
        ("[None] * len(mats)", "i in range(mats.shape[0])"),
    ],
)
def test_it_grows(made: str, head: str) -> None:
    store = f"found[i] = np.linalg.det({'m' if 'm in' in head else 'mats[i]'})"
    text = ported(made, head, store)
    assert "found = []" in text
    assert "found.extend(cp.linalg.det(mats))" in text


@pytest.mark.parametrize(
    "changed",
    [
        {"made": "[None] * (len(mats) + 1)"},
        {"made": "[None, 0] * len(mats)"},
        {"head": "i, m in enumerate(mats, 1)"},
        {"head": "i, m in enumerate(mats[1:])"},
        {"head": "i, i in enumerate(mats)"},
        {"store": "found[-i] = np.linalg.det(m)"},
        {"store": "found[i] = np.linalg.det(m) * len(found)"},
        {"store": "i = 0; found[i] = np.linalg.det(m)"},
        {"store": "\n            found[i] = np.linalg.det(m)".join(["if i:", ""])},
        {"before": "rows = mats.pop()"},
        {"before": "rows = found"},
        {"before": "mats = mats[1:]"},
        {"before": "rows = keep(mats)"},
    ],
)
def test_it_stays_as_it_is(changed: dict[str, str]) -> None:
    text = ported(**changed)
    assert f"found = {changed.get('made', '[None] * len(mats)')}" in text
    assert ".append(" not in text


def test_functions_of_the_users_own_are_not_taken_for_builtins() -> None:
    text = BODY.format(
        made="[None] * len(mats)", head="i, m in enumerate(mats)",
        store="found[i] = np.linalg.det(m)", before="rows = len(mats)",
    )  # fmt: skip
    own = "def enumerate(items):\n    return [(1, items[0]), (0, items[1])]\n"
    text = text.replace("\n\n\ndef f", f"\n\n\n{own}\n\ndef f")
    after = port_module(parse("module.py", text), Config()).after or text
    assert "found = [None] * len(mats)" in after


def test_it_stays_where_nothing_is_stacked() -> None:
    text = ported(store="found[i] = float(input())")
    assert "found = [None] * len(mats)" in text
