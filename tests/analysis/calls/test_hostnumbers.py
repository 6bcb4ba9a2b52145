"""What gives numbers of Python's is no reason to leave array work."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

MOVE = """import random
import numpy as np

def move(v, best, w):
    for _ in range(50):
        v = v * 0.7 + {draw} * (best - v)
    return v

print(move(np.ones(50000), np.zeros(50000), 1.5).sum())
"""


@pytest.mark.parametrize(
    "draw",
    [
        "w * random.random()", "random.uniform(-w, 1)", "random.gauss(0.0, w)",
        "random.randint(0, 3)", "np.sum(best).item()",
    ],
)  # fmt: skip
def test_numbers_drawn_and_taken_out_of_arrays_are_numbers(draw: str) -> None:
    found = port(MOVE.format(draw=draw))
    assert not [one for one in found.findings if one.code == "GP901"]
    assert "cp.zeros(50000)" in (found.after or "")


def test_what_is_drawn_between_arrays_is_none() -> None:
    """``random.uniform`` of arrays gives one."""
    found = port(MOVE.format(draw="random.uniform(best, 1.0)"))
    assert [one for one in found.findings if one.code == "GP901"]
