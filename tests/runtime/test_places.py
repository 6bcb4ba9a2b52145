"""``x[places] += values`` on the device gives what NumPy gives, whatever the places name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport.runtime import add_to

PLACES: dict[str, Any] = {
    "distinct": np.array([0, 3, 1]), "twice": np.array([2, 2, 0]),
    "from the end": np.array([-1, 3, 0]),
    "rows and columns": (np.array([0, 1, 1]), np.array([2, 0, 0])),
    "outer": np.ix_([0, 2], [1, 1, 0]), "one": 2, "one of each": (1, 2), "a list": [3, 3],
    "a mask": np.array([True, False, True, False]), "none": np.array([], dtype=np.int64),
    "narrow": np.array([1, 1, 2], np.int8),
}  # fmt: skip


@pytest.fixture(scope="module")
def cp(either_cupy):
    return either_cupy


@pytest.mark.parametrize("subtract", [False, True])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8", "complex64"])
@pytest.mark.parametrize("name", PLACES)
def test_as_numpy(cp: Any, name: str, dtype: str, subtract: bool) -> None:
    places = PLACES[name]
    expected = np.arange(12).reshape(4, 3).astype(dtype)
    found = cp.asarray(expected)
    shape = expected[tuple(places) if isinstance(places, tuple) else places].shape
    values = (1 + np.arange(np.prod(shape, dtype=int)).reshape(shape)).astype(dtype)
    if subtract:
        expected[places] -= values
    else:
        expected[places] += values
    on_device = (
        tuple(map(cp.asarray, places)) if isinstance(places, tuple) and name != "one of each"
        else cp.asarray(places) if isinstance(places, np.ndarray) else places
    )  # fmt: skip
    add_to(found, on_device, cp.asarray(values), subtract=subtract)
    np.testing.assert_array_equal(cp.asnumpy(found), expected)
    on_host = np.arange(12).reshape(4, 3).astype(dtype)
    add_to(on_host, places, values, subtract=subtract)
    np.testing.assert_array_equal(on_host, expected)


@given(st.lists(st.integers(-7, 7), min_size=1, max_size=9))
def test_the_last_of_several_stays(cp: Any, places: list[int]) -> None:
    """And what is out of range is told, in NumPy's words, before anything is changed."""
    values = np.arange(1.0, len(places) + 1)
    expected, found = np.zeros(6), cp.zeros(6)
    error = None
    try:
        expected[np.array(places)] += values
    except IndexError as raised:
        error = str(raised)
    if error is None:
        add_to(found, cp.asarray(places), cp.asarray(values))
    else:
        with pytest.raises(IndexError, match=error):
            add_to(found, cp.asarray(places), cp.asarray(values))
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


def test_weak_numbers_keep_the_dtype(cp: Any) -> None:
    found, expected = cp.zeros(3, np.float32), np.zeros(3, np.float32)
    expected[np.array([1, 1])] += 0.1
    add_to(found, cp.asarray([1, 1]), 0.1)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


@pytest.mark.parametrize("places", [1, (1, 2), -1])
def test_a_single_element_takes_what_is_stored(cp: Any, places: Any) -> None:
    """``counts[label] += 0.5`` cuts off; a row of whole numbers refuses to."""
    found, expected = cp.zeros((4, 3), int), np.zeros((4, 3), int)
    on_device = tuple(map(cp.asarray, places)) if isinstance(places, tuple) else cp.asarray(places)
    if isinstance(places, tuple):
        expected[places] += 2.75
        add_to(found, on_device, 2.75)
        np.testing.assert_array_equal(cp.asnumpy(found), expected)
        return
    with pytest.raises(TypeError):
        expected[places] += 2.75
    with pytest.raises(TypeError):
        add_to(found, on_device, 2.75)
