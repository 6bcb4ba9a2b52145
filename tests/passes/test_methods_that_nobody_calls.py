"""Methods that nobody calls keep no array of their class on the host."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """\
import numpy as np


class Rod:
    def __init__(self, n, dt):
        self.n, self.dt = n, dt
        self.x = np.linspace(0.0, 1.0, n)

    {unused}

    def step(self, source):
        for i in range(self.n):
            self.x[i] = self.x[i] + source[i] * self.dt


if __name__ == "__main__":
    rod = Rod(100, 0.1)
    for _ in range(10):
        rod.step(np.sin(rod.x))
    print(rod.x.sum())
"""


@pytest.mark.parametrize(
    "unused",
    [
        "pass",
        "def slope(self, i): return self.x[i + 1] - self.x[i]",
        "def slope(self, i, k): return self.x[i * k:].sum()",
    ],
)
def test_what_they_take_elements_by_are_numbers(unused: str):
    assert "_step(" in (port(TEXT.format(unused=unused)).after or "")
