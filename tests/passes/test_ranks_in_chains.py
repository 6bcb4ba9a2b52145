"""Statements over arrays of different ranks are no one kernel: they never have one shape."""

from __future__ import annotations

from tests.passes.conftest import port

TEXT = """\
import numpy as np

c = np.array([0, 1, -1])
f = np.ones((3, 40, 40))
g = np.zeros((3, 40, 40))


def relax(f, g):
    rest = f - g
    squares = c ** 2 - 1 / 3
    return (rest * squares[:, None, None]).sum(axis=0)


for step in range(4):
    g = relax(f, g) + f
print(g.sum())
"""


def test_they_are_launched_apart():
    after = port(TEXT).after or ""
    assert "cp.ones" in after
    assert "@kernel" not in after
    assert "squares = c ** 2 - 1 / 3" in after
