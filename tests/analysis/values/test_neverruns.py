"""Branches that never run say nothing of the arrays in them."""

import pytest
from tests.analysis.conftest import GUARD, analysed, on_device

PROGRAM = """
import numpy as np


class Solver:
    def __init__(self, n, forcing=None):
        self.u = np.zeros(n)
        self.forcing = forcing

    def step(self):
        out = np.tanh(self.u)
        {branch}
        self.u = out


def main():
    solver = Solver({given})
    for _ in range(5):
        solver.step()
    print(solver.u.sum())
"""


@pytest.mark.parametrize(
    ("branch", "given", "ported"),
    [
        ("if self.forcing is not None:\n            out += self.forcing", "9", True),
        ("if self.forcing is not None and self.forcing.on:\n            out.sort()", "9", True),
        ("if self.forcing:\n            self.forcing(out)", "9", True),
        ("if self.forcing is None: pass\n        else: out += self.forcing", "9", True),
        ("out = out if self.forcing is None else self.forcing(out)", "9", True),
        ("if self.forcing is not None:\n            out += self.forcing", "9, other", False),
        ("if self.forcing is None:\n            other(out)", "9", False),
        ("if self.forcing is not None or out[0] > 1:\n            other(out)", "9", False),
    ],
)  # fmt: skip
def test_what_is_none_in_the_whole_program_is_not_used(branch: str, given: str, ported: bool):
    text = PROGRAM.replace("{branch}", branch).replace("{given}", given)
    assert on_device(analysed(text, GUARD), "numpy.tanh") == ported
