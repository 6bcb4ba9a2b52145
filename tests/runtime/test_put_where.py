"""A number stored at a mask: what NumPy stores, and nothing for which the host waits."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from gpuport import host
from gpuport.host import counters
from gpuport.runtime import put_where

ROWS = np.array([True, False, True])
CELLS = np.arange(12).reshape(3, 4) % 5 < 2


@pytest.fixture(scope="module")
def cp(either_cupy):
    return either_cupy


def _there(cp: Any, places: Any) -> Any:
    if isinstance(places, tuple):
        return tuple(_there(cp, one) for one in places)
    return cp.asarray(places) if isinstance(places, np.ndarray) else places


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8", "bool", "complex128"])
@pytest.mark.parametrize("value", [0.0, 2, True, 2.75, np.float32(1.1), np.int8(3)])
@pytest.mark.parametrize(
    "places",
    [CELLS, ROWS, CELLS[:, 0], (ROWS, slice(1, 3)), (slice(None), CELLS[0]), (1, CELLS[1]),
     (ROWS, -1), (slice(None, None, -1), CELLS[2]), (slice(0, 0), CELLS[0])],
)  # fmt: skip
def test_as_numpy_has_it(cp: Any, dtype: str, value: Any, places: Any) -> None:
    x = np.arange(12).reshape(3, 4).astype(dtype)
    there = cp.asarray(x)
    put_where(there, _there(cp, places), value)
    x[places] = value
    assert there.dtype == x.dtype
    np.testing.assert_array_equal(cp.asnumpy(there), x)


@pytest.mark.parametrize(
    ("dtype", "places", "value", "error"),
    [
        ("float64", CELLS[:, :1], 0.0, IndexError),  # it would broadcast
        ("float64", CELLS[:1], 0.0, IndexError),
        ("float64", (slice(None), ROWS), 0.0, IndexError),
        ("float64", (slice(None), slice(None), ROWS), 0.0, IndexError),
        ("int64", CELLS, np.nan, ValueError),
        ("uint8", CELLS, 300, OverflowError),
        ("float64", CELLS, 1j, TypeError),
    ],
)
def test_raises_as_numpy_does(cp: Any, dtype: str, places: Any, value: Any, error: Any) -> None:
    x = np.ones((3, 4), dtype)
    with pytest.raises(error):
        x[places] = value
    with pytest.raises(error):
        put_where(cp.asarray(x), _there(cp, places), value)


def test_a_mask_that_is_a_part_of_what_is_changed(cp: Any) -> None:
    x = np.array([True, False, True, True, False])
    there = cp.asarray(x)
    put_where(there, there[::-1], False)
    x[x[::-1].copy()] = False
    np.testing.assert_array_equal(cp.asnumpy(there), x)


def test_numbers_of_the_device_and_arrays(cp: Any) -> None:
    x = np.arange(12.0).reshape(3, 4)
    there = cp.asarray(x)
    put_where(there, cp.asarray(CELLS), there.max())
    x[CELLS] = x.max()
    put_where(there, cp.asarray(CELLS), cp.arange(float(CELLS.sum())))
    x[CELLS] = np.arange(CELLS.sum())
    np.testing.assert_array_equal(cp.asnumpy(there), x)


def test_asks_the_device_for_nothing() -> None:
    host.install(version=14)
    try:
        cupy = importlib.import_module("cupy")
        x, rows = cupy.zeros((3, 4)), cupy.asarray(ROWS)
        with counters.count() as counting:
            put_where(x, (rows, slice(1, 3)), 2.0)
    finally:
        host.uninstall()
    assert (counting.launches, counting.d2h, counting.syncs) == (1, 0, 0)
