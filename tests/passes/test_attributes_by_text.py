"""``setattr(self, name, getattr(self, name)[mask])`` over names that are written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


class Stand:
    {head}def __init__(self, n):
        self.x = np.linspace(0.0, 3.0, n)
        self.kind = np.arange(n) % 3
        self.pos = np.stack([self.x, self.x ** 2], axis=1)
        self.label, self.count = "stand", n
        self.words = np.array([str(k) for k in range(n)])

    def step(self):
        mask = self.x > 0.1
        for name in {names}:
            {body}
        self.x = 0.9 * self.x + 0.05


def main(n=300):
    stand = Stand(n)
    for _ in range(4):
        stand.step()
    print(stand.x.sum(), stand.kind.sum(), stand.pos.sum())
    return stand.x, stand.kind, stand.pos


if __name__ == "__main__":
    main()
"""

KEPT = "setattr(self, name, getattr(self, name)[mask])"


def both(body: str, names: str, head: str = "") -> tuple[str, list[Any], list[Any]]:
    text = PROGRAM.replace("{names}", names).replace("{head}", head)
    text = text.replace("{body}", body.replace("; ", "\n            "))
    after = port(text).after or text
    found = []
    for one in (text, after):
        names_: dict[str, Any] = {"__name__": "m"}
        exec(compile(one, "m.py", "exec"), names_)
        found.append([r.get() if hasattr(r, "get") else r for r in names_["main"]()])
    return after, found[0], found[1]


def agree(expected: list[Any], found: list[Any]) -> None:
    for one, other in zip(expected, found, strict=True):
        assert other.dtype == one.dtype
        np.testing.assert_allclose(other, one, rtol=1e-12)


@pytest.mark.parametrize(
    "body",
    [
        KEPT,
        "values = getattr(self, name); setattr(self, name, values[mask])",
        "setattr(self, name, np.sqrt(np.abs(getattr(self, name))) * 2.0 + getattr(self, name))",
        "values = getattr(self, name); values[1:] = values[:-1].copy()",
        "if name == 'x':; \tcontinue; setattr(self, name, getattr(self, name) * 2)",
    ],
)
def test_arrays_stay_on_the_device(body: str, emulated: Any) -> None:
    after, expected, found = both(body.replace("\t", "    "), '("x", "kind", "pos")')
    assert "self.kind = cp.arange(n) % 3" in after
    assert "getattr(self, name)" in after
    agree(expected, found)


@pytest.mark.parametrize(
    ("body", "names", "head"),
    [
        (KEPT, '("x", "kind", "pos", "words")', ""),
        ("setattr(self, name, np.max(getattr(self, name)) * self.x)", '("x", "count")', ""),
        (KEPT, "[k for k in self.__dict__ if k in ('x', 'kind', 'pos')]", ""),
        (KEPT, '("x", "kind", "pos")', "def __getattr__(self, name):\n        return 1\n\n    "),
        ("setattr(self, name, getattr(self, name, None)[mask])", '("x", "kind", "pos")', ""),
        ("setattr(self, name + '2', getattr(self, name)[mask])", '("x", "kind", "pos")', ""),
    ],
)
def test_others_give_what_they_gave(body: str, names: str, head: str, emulated: Any) -> None:
    _, expected, found = both(body, names, head)
    agree(expected, found)
