"""Names of attributes stand inside of the loops in which something may change these."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """\
import numpy as np


class Rod:
    def __init__(self, n):
        self.k = 1.0
        self.u = np.linspace(0.0, 1.0, n)

    def rate(self, x):
        return x * self.k

    def ticked(self, x):
        tick()
        return x


def tick():
    rod.k += 0.5


def bump(rod):
    rod.k *= 2.0


def half(x):
    return 0.5 * x


def run(rod, steps):
    v = np.zeros(len(rod.u))
    for step in range(steps):
        {first}
        for i in range(len(rod.u)):
            v[i] = v[i] + rod.rate(rod.u[i]) * step
    return v


if __name__ == "__main__":
    rod = Rod(1000)
    print(run(rod, 10).sum())
"""


@pytest.mark.parametrize(
    ("first", "read"),
    [
        ("bump(rod)", "in each step"),
        ("x = rod.ticked(1.0)", "in each step"),
        ("setattr(rod, 'k', 2.0)", "by the loop, which is no kernel"),
        ("x = half(step)", "once"),
        ("x = np.sin(step)", "once"),
    ],
)
def test_they_are_read_again_where_they_may_have_changed(first: str, read: str):
    made = port(TEXT.format(first=first)).after or ""
    within = "\n        k = rod.k\n" in made or "\n        _run(rod.u, rod.k, " in made
    before = "\n    k = rod.k\n" in made
    assert within == (read == "in each step")
    assert before == (read == "once")
    assert ("_run(" in made) == (within or before)
