"""Loops over elements of attributes tell what kept them from being kernels, not that of names."""

from __future__ import annotations

from tests.passes.conftest import port

TEXT = """\
import numpy as np


class Rod:
    def __init__(self, n):
        self.n = n
        self.x = np.linspace(0.0, 1.0, n)

    def relax(self):
        total = self.n * 2
        for i in range(1, self.n):
            self.x[i] = self.x[i] + self.x[i - 1] * total


if __name__ == "__main__":
    rod = Rod(100)
    for _ in range(10):
        rod.relax()
    print(rod.x.sum())
"""


def test_the_lines_are_those_of_the_file():
    findings = port(TEXT).findings
    (said,) = [one for one in findings if one.code.startswith("GP20")]
    assert said.code == "GP202"
    assert said.span.line == 11
    assert "writes `x[i]` (line 12)" in said.message
    assert "reads as `x[i - 1]` (line 12)" in said.message
    assert said.reason in (None, "carried-dependence")
