"""``x[places] = values`` and ``+=`` on the device give what NumPy gives, whatever is named."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport import host
from gpuport.host import counters
from gpuport.runtime import add_at, add_to, put_last

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


@given(st.lists(st.integers(-6, 5), min_size=1, max_size=9))
def test_the_last_of_several_stays(cp: Any, places: list[int]) -> None:
    values = np.arange(1.0, len(places) + 1)
    expected, found = np.zeros(6), cp.zeros(6)
    expected[np.array(places)] += values
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


def on_device(cp: Any, place: Any) -> Any:
    if isinstance(place, tuple):
        return tuple(on_device(cp, one) for one in place)
    return cp.asarray(place) if isinstance(place, np.ndarray) else place


@st.composite
def stores(draw: st.DrawFn) -> tuple[tuple[int, ...], tuple[Any, ...], tuple[int, ...]]:
    """A shape, places that stand between the brackets, and the shape of what is stored there."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=4)))
    common = draw(st.sampled_from([(1,), (3,), (5,), (2, 3)]))
    places: list[Any] = []
    named = draw(st.integers(1, len(shape)))
    cut = draw(st.integers(0, named))  # where the axes stand that are not named
    for size in shape[:cut] + shape[len(shape) - named + cut :]:
        kind = draw(st.sampled_from(["array", "array", "slice", "number", "line"]))
        if kind == "slice":
            places.append(slice(draw(st.integers(0, size)), None, draw(st.sampled_from([None, 2]))))
        elif kind == "number":
            places.append(draw(st.integers(-size, size - 1)))
        else:
            lengths = common if kind == "array" else common[-1:]
            found = draw(st.lists(st.integers(-size, size - 1), min_size=int(np.prod(lengths)),
                                  max_size=int(np.prod(lengths))))  # fmt: skip
            places.append(np.array(found).reshape(lengths))
    if cut < named or draw(st.booleans()):
        places.insert(cut, ...)
    stored = np.zeros(shape)[tuple(places)].shape
    fewer = stored[draw(st.integers(0, len(stored))) :]
    thin = tuple(draw(st.sampled_from([1, n])) for n in fewer)
    wide = (1, *stored) if stored else ()  # NumPy takes no array with axes for an element
    return shape, tuple(places), draw(st.sampled_from([stored, thin, wide]))


@settings(deadline=None)  # the first call on a device compiles
@given(stores(), st.sampled_from([np.float64, np.int16, np.complex64]))
def test_stores_at_any_places(cp: Any, store: Any, dtype: type) -> None:
    shape, places, stored = store
    values = (1 + np.arange(np.prod(stored, dtype=int))).reshape(stored).astype(dtype)
    start = -np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    expected, found, summed, found_sum = (
        start.copy(),
        cp.asarray(start),
        start.copy(),
        cp.asarray(start),
    )
    expected[places] = values
    put_last(found, on_device(cp, places), cp.asarray(values))
    np.testing.assert_array_equal(cp.asnumpy(found), expected)
    if len(stored) > summed[places].ndim:
        return
    summed[places] += values
    add_to(found_sum, on_device(cp, places), cp.asarray(values))
    np.testing.assert_array_equal(cp.asnumpy(found_sum), summed)


@pytest.mark.parametrize("values", [2.5, [1.0, 2.0, 3.0]])
@pytest.mark.parametrize("places", [[1, 1, 0], np.array([True, False, True, True]), ...])
def test_lists_masks_and_numbers(cp: Any, places: Any, values: Any) -> None:
    expected, found = np.zeros(4), cp.zeros(4)
    if places is ... and isinstance(values, list):
        values = [*values, 4.0]
    expected[places] = values
    put_last(found, places, values if isinstance(values, float) else cp.asarray(values))
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint64])
def test_narrow_indices_of_long_axes(cp: Any, dtype: type) -> None:
    places = np.array([100, 3, 100], dtype)
    expected, found = np.zeros((2, 300)), cp.zeros((2, 300))
    expected[:, places] = [1.0, 2.0, 3.0]
    put_last(found, (slice(None), cp.asarray(places)), cp.asarray([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


def test_nothing_is_waited_for() -> None:
    host.install(version=14)
    cupy = importlib.import_module("cupy")
    try:
        places = cupy.asarray([1, 1]), slice(None)
        with counters.count() as counting:
            put_last(cupy.zeros((5, 4)), places, cupy.ones((2, 4)))
            add_to(cupy.zeros((5, 4)), places, cupy.ones((2, 4)))
    finally:
        host.uninstall()
    assert counting.syncs == 0


@pytest.mark.parametrize("values", ["complex", "real", "one", "whole"])
@pytest.mark.parametrize("dtype", ["complex128", "complex64", "float64", "int64"])
def test_numbers_are_added_at_each_place_as_often_as_it_is_named(
    cp: Any, dtype: str, values: str
) -> None:
    rows, columns = np.array([0, 1, 1, 3]), np.array([2, 0, 0, 1])
    added: Any = {
        "complex": np.array([1.5 + 2j, -1j, 3, 4]), "real": np.array([0.5, 1.5, 2.5, 3.5]),
        "one": 2 - 1j, "whole": np.arange(4),
    }[values]  # fmt: skip
    if not np.can_cast(np.asarray(added).dtype, dtype, "same_kind"):
        pytest.skip("NumPy drops a part")
    expected = np.ones((4, 3), dtype)
    found = cp.asarray(expected)
    np.add.at(expected, (rows, columns), added)
    on_device = cp.asarray(added) if isinstance(added, np.ndarray) else added
    add_at(found, (cp.asarray(rows), cp.asarray(columns)), on_device)
    np.testing.assert_array_equal(cp.asnumpy(found), expected)


def test_numbers_are_added_at_places_of_arrays_of_numpy() -> None:
    found = np.zeros(3, complex)
    add_at(found, [0, 0, 2], 1j)
    np.testing.assert_array_equal(found, [2j, 0, 1j])


def test_no_places_at_all(emulated):
    codes = emulated.zeros((2, 3))
    put_last(codes, (1, []), emulated.zeros(0))
    add_to(codes, (0, []), emulated.zeros(0))
    assert not codes.any()
