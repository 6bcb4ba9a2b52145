"""What attributes stood for in a loop is passed to its kernel; lines of other loops stay."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

HEAD = """\
import numpy as np


class Plate:
    def __init__(self, n):
        self.n, self.k = n, 0.5
        self.u = np.linspace(0.0, 1.0, n)

    def step(self):
        {body}


plate = Plate(50)
for _ in range(3):
    plate.step()
print(plate.u.sum())
"""
ONE = "for i in range(1, self.n - 1):\n            self.u[i] = self.u[i] * self.k"
RUNNING = """s = 0.0
        for i in range(self.n):
            s += self.u[i]
            self.u[i] = s"""


def ported(body: str) -> str:
    after = port(HEAD.format(body=body)).after
    assert after is not None
    return after


@pytest.mark.parametrize("count", [1, 2])
def test_a_call_says_what_it_is_passed(count: int) -> None:
    after = ported("\n        ".join([ONE] * count))
    assert after.count("(self.k, self.n, self.u)") == count
    assert " = self." not in after


def test_running_numbers_take_the_attributes_too() -> None:
    after = ported(f"{ONE}\n        {RUNNING}")
    assert "(self.k, self.n, self.u)" in after
    assert "(self.n, s, self.u)" in after
    assert "u = self.u\n" not in after


def test_lines_of_the_users_stay() -> None:
    after = ported(f"u = self.u\n        {ONE.replace('self.u', 'u')}\n        u[0] = 1.0")
    assert "u = self.u\n" in after
    assert "(self.k, self.n, u)" in after
