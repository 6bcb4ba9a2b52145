"""From which size on the device is worth it: what was measured, and what it must never say."""

from __future__ import annotations

import json
from itertools import pairwise
from math import exp, log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.cost.breakeven import break_even

MEASURED = Path(__file__).parents[2] / "bench" / "results" / "ports.json"
WORK = st.floats(1.0, 10_000.0)


def _measured(name: str, elements: dict[int, int]) -> float:
    """Where port and original took as long, between two sizes that were measured."""
    rows = [row for row in json.loads(MEASURED.read_text()) if row["measure"] == name]
    points = [(log(elements[row["size"]]), log(row["times_as_fast"])) for row in rows]
    for (a, slower), (b, faster) in pairwise(points):
        if slower < 0 <= faster:
            return exp(a - slower * (b - a) / (faster - slower))
    raise AssertionError(f"{name} is never as fast")


@pytest.mark.parametrize(
    ("name", "elements", "operations", "moved"),
    [
        ("heat", {64: 64**2, 256: 256**2, 1024: 1024**2, 4096: 4096**2}, 32.0, 2),
        ("discounted", {n: n for n in (1000, 100_000, 10_000_000)}, 27.0, 4),
        ("smoothed", {64: 64**2, 512: 512**2, 4096: 4096**2}, 55.5, 2),
        ("ranked", {n: n for n in (1000, 100_000, 10_000_000)}, 29.0, 2),
    ],
)
def test_it_is_near_what_was_measured(
    name: str, elements: dict[int, int], operations: float, moved: int
) -> None:
    found = break_even(operations, operations, moved)
    assert 0.4 < found / _measured(name, elements) < 2.5


@given(WORK, st.integers(1, 8))
def test_more_that_crosses_needs_more_elements_and_fewer_launches_need_fewer(
    work: float, moved: int
) -> None:
    found = break_even(work, work, moved)
    assert 0 <= break_even(work, work / 4, moved) <= found <= break_even(work, work, moved + 1)
    assert found <= 1_000_000


def test_who_computes_less_than_crosses_is_told_so() -> None:
    assert break_even(2.0, 2.0, 3) == 1_000_000
