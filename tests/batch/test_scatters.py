"""What loops add at places that each item names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import batched

CASES: dict[str, tuple[Any, Any, Any]] = {
    "vectors": (np.zeros(9), [[0, 3, 4], [3, 4, 8], [-1, 0, 1]], np.arange(9.0).reshape(3, 3)),
    "numbers": (np.zeros(5), [1, 1, 4, -5], np.arange(4.0)),
    "the same number": (np.zeros(5, np.float32), [1, 1, 4], 0.1),
    "a place twice": (np.zeros(6), [[0, 0, 1], [0, 1, 1]], np.arange(6.0).reshape(2, 3)),
    "rows": (np.zeros((4, 2)), [[0, 1], [1, 3]], np.arange(8.0).reshape(2, 2, 2)),
    "a vector for rows": (np.zeros((4, 2)), [1, 1, 3], np.arange(6.0).reshape(3, 2)),
    "narrow": (np.ones(4, np.int8), [[0, 1], [1, 2]], np.array([[1, 2], [3, 4]], np.int8)),
    "wider values": (np.zeros(4, np.float32), [[0, 1], [1, 2]], np.full((2, 2), 0.1)),
    "bools": (np.zeros(3, np.int64), [0, 0, 2], np.array([True, True, True])),
    "a number twice": (np.zeros(3, np.float32), [[0, 0], [0, 2]], 0.1),
    "masks": (np.zeros(3), np.array([[True, False, True], [False, False, True]]), 2.0),
    "none": (np.zeros(3), np.zeros((0, 2), int), np.zeros((0, 2))),
}


def by_items(target: Any, places: Any, values: Any) -> Any:
    """What the loop does."""
    for item, where in enumerate(places):
        target[where] += values if np.ndim(values) == 0 else values[item]
    return target


@pytest.mark.parametrize("name", CASES)
def test_each_item_adds_at_its_places(name: str, cp: Any) -> None:
    target, places, values = CASES[name]
    places = np.array(places)
    expected = by_items(target.copy(), places, values)
    given = values if np.ndim(values) == 0 else cp.asarray(values)
    found = cp.asarray(target)
    batched.add_at(found, cp.asarray(places), given)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


@pytest.mark.parametrize("repeat", [False, True])
def test_outer_places(cp: Any, repeat: bool) -> None:
    """``matrix[np.ix_(rows, columns)] += element``."""
    draw = np.random.default_rng(3)
    rows = np.stack([draw.permutation(7)[:3] for _ in range(20)])
    columns = draw.integers(0, 6, (20, 2)) if repeat else np.tile([4, 1], (20, 1))
    values = draw.integers(-9, 9, (20, 3, 2)).astype(float)
    expected = np.zeros((7, 6))
    for r, c, v in zip(rows, columns, values, strict=True):
        expected[np.ix_(r, c)] += v
    found = cp.zeros((7, 6))
    batched.add_at(found, (cp.asarray(rows), cp.asarray(columns)), cp.asarray(values), outer=True)
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


@pytest.mark.parametrize("index", [5, -6])
def test_an_index_out_of_range_is_told_before_anything_is_added(index: int, cp: Any) -> None:
    found = cp.zeros(5)
    with pytest.raises(IndexError, match=f"index {index} is out of bounds for axis 0 with size 5"):
        batched.add_at(found, cp.asarray([0, index]), 1.0)
    assert not cp.asnumpy(found).any()


def test_values_without_place_are_refused_as_numpy_does(cp: Any) -> None:
    """Elements are cast as any value is that is stored; rows are not."""
    found = cp.zeros(5, np.int64)
    batched.add_at(found, cp.asarray([0, 0, 1]), cp.asarray([1.75, 1.75, 0.5]))
    assert cp.asnumpy(found).tolist() == [2, 0, 0, 0, 0]
    with pytest.raises(TypeError):
        batched.add_at(found, cp.asarray([[0, 1]]), cp.asarray([0.5]))
