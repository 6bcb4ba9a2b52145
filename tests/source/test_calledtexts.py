"""Reasons that quote a function which a loop calls name it."""

from __future__ import annotations

import ast
from types import SimpleNamespace

import pytest

from gpuport.source.calledtexts import where_called


def _facts(**texts: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, text in reversed(texts.items()):
        definition = ast.parse(text).body[0]
        found = {name: SimpleNamespace(definition=definition, globals=found)}
    return {**found, "n": SimpleNamespace()}


LOOP = ast.parse("for i in range(n):\n    h = step(h, n)\n    out[i] = np.sum(h)")
FACTS = _facts(
    step="def step(h, n):\n    return rhs(h, n)",
    rhs="def rhs(h, n):\n    obs = h * 2\n    return np.fft.fft(obs)",
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("`obs` is used as a whole", "in `rhs`, which it calls: `obs` is used as a whole"),
        ("`h[obs2_[0]]` is a part", "in `rhs`, which it calls: `h[obs[0]]` is a part"),
        ("`np.fft.fft` has no form", "in `rhs`, which it calls: `np.fft.fft` has no form"),
        ("`out` is used as a whole", "`out` is used as a whole"),
        ("`h[i]` is a part, `obs` too", "`h[i]` is a part, `obs` too"),
        ("`elsewhere` is unknown", "`elsewhere` is unknown"),
        ("a list in the loop", "a list in the loop"),
    ],
)
def test_where_called(message: str, expected: str) -> None:
    assert where_called(message, LOOP, FACTS) == expected
