"""Where NumPy is likely to be quicker than launches: by what was measured on a device."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.cost.atsizes import slower

MEASURED = Path(__file__).parents[2] / "bench" / "results" / "ports.json"
SIZES = st.lists(st.integers(1, 10**6), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("name", "elements", "operations"),
    [("heat", lambda n: n**2, 32), ("discounted", int, 27), ("smoothed", lambda n: n**2, 55)],
)
def test_what_was_measured_to_be_much_slower_is_told_and_what_was_faster_is_not(
    name, elements, operations
) -> None:
    rows = [row for row in json.loads(MEASURED.read_text()) if row["measure"] == name]
    for row in rows:
        told = slower([elements(row["size"])] * operations, [], operations)
        assert told is not None or row["times_as_fast"] > 0.35, row
        assert told is None or row["times_as_fast"] < 1.0, row


@given(SIZES, st.integers(1, 30))
def test_larger_arrays_and_fewer_launches_are_never_worse(sizes: list[int], launches: int) -> None:
    told = slower(sizes, [], launches)
    if told is None:
        assert slower([2 * one for one in sizes], [], launches) is None
        assert slower(sizes, [], max(launches // 2, 1)) is None
    else:
        assert told.device > told.host > 0
        assert told.most == max(sizes)


def test_products_of_small_matrices_are_little_work_and_those_of_large_ones_are_not() -> None:
    assert slower([], [9], 1) is not None
    assert slower([], [512 * 512], 1) is None
