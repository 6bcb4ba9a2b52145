"""`getattr(self, "step_" + scheme)` is one of the methods whose names begin so."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

SOLVER = """\
import numpy as np


class Solver:
    def __init__(self, n, scheme="two"):
        self.x = np.linspace(0.0, 1.0, n)
        self.scheme = scheme{more}

    def step_one(self, w):
        return w - np.sin(w) * np.exp(self.x)

    def step_two(self, w):
        return self.step_one(self.step_one(w)) * np.cos(w)
{method}
    def run(self, steps):
        w = np.cos(self.x)
        for _ in range(steps):
            w = {found}(w)
        return w


print(Solver(9).run(5))
"""
TEXTS = [
    'getattr(self, "step_" + self.scheme)',
    'getattr(self, f"step_{self.scheme}")',
    'getattr(self, "step_" + self.scheme + "")',
]


def solver(found: str = TEXTS[0], more: str = "", method: str = "") -> str:
    return SOLVER.format(found=found, more=more, method=method)


@pytest.mark.parametrize("found", TEXTS)
def test_the_attributes_are_on_the_device(found: str) -> None:
    after = port(solver(found)).after or ""
    assert "self.x = cp.linspace(0.0, 1.0, n)" in after
    assert f"w = {found}(w)" in after


@pytest.mark.parametrize(
    "text",
    [
        solver("getattr(self, self.scheme)"),
        solver('getattr(self, "step_" + self.scheme, None)'),
        solver(more="\n        self.step_three = np.sin"),
        solver(method="\n    @property\n    def step_three(self):\n        return np.sin\n"),
        solver(method="\n    @staticmethod\n    def step_three(w):\n        return w\n"),
        solver(method="\n    step_three = np.sin\n"),
        solver(method="\n    def __getattr__(self, name):\n        return np.sin\n"),
        solver().replace("class Solver:", "class Solver(dict):"),
    ],
    ids=["any", "default", "stored", "property", "static", "bound", "made-up", "library"],
)
def test_not_where_it_may_be_something_else(text: str) -> None:
    assert "self.x = cp" not in (port(text).after or "")
