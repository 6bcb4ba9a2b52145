"""Filters of whole numbers add up and round as CuPy's kernels do, not as SciPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

MODES = ("reflect", "constant", "nearest", "mirror", "wrap")
CALLS: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {
    "correlate": ("correlate", (np.arange(9.0).reshape(3, 3) / 7,), {"cval": 3.0}),
    "convolve": ("convolve", (np.arange(8.0).reshape(2, 4) / 7,), {"origin": (0, -1)}),
    "correlate1d": ("correlate1d", (np.arange(1, 5),), {"origin": 1}),
    "convolve1d": ("convolve1d", (np.array([0.5, 0.1, 0.4]),), {"axis": 0}),
    "uniform": ("uniform_filter", (4,), {"origin": -1}),
    "uniform1d": ("uniform_filter1d", (5,), {"axis": 0}),
    "gaussian": ("gaussian_filter", ((1.3, 0.0),), {}),
    "gaussian1d": ("gaussian_filter1d", (1.3,), {"order": 1}),
}


@pytest.fixture
def ndimage() -> tuple[Any, Any]:
    return pytest.importorskip("scipy.ndimage"), pytest.importorskip("cupyx.scipy.ndimage")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("call", CALLS)
def test_single_precision_is_near_scipy(cp: Any, ndimage: Any, call: str, mode: str) -> None:
    name, given, others = CALLS[call]
    values = np.random.default_rng(5).random((7, 9)).astype(np.float32) * 9
    expected = getattr(ndimage[0], name)(values, *given, mode=mode, **others)
    moved = [cp.asarray(one) if isinstance(one, np.ndarray) else one for one in given]
    found = getattr(ndimage[1], name)(cp.asarray(values), *moved, mode=mode, **others)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(cp.asnumpy(found), expected, rtol=2e-6, atol=2e-5)


def test_sums_of_products_are_cut_off(cp: Any, ndimage: Any) -> None:
    """Six sixths are less than 1, in the order of the weights."""
    values = np.repeat([0, 1, 0], 9)
    found = cp.asnumpy(ndimage[1].uniform_filter1d(cp.asarray(values), 6))
    assert found.dtype == values.dtype
    assert not found.any()
    assert ndimage[0].uniform_filter1d(values, 6).max() == 1


def test_negative_sums_wrap_around_in_unsigned_results(cp: Any, ndimage: Any) -> None:
    values = np.array([9, 5, 1], np.uint8)
    found = ndimage[1].correlate1d(cp.asarray(values), cp.array([-0.5, 0.0, 0.0]))
    assert found.tolist() == [252, 252, 254]


@pytest.mark.parametrize("dtype", ["i8", "u1"])
def test_halves_are_rounded_to_even_numbers(cp: Any, ndimage: Any, dtype: str) -> None:
    values = np.array([1, 2, 3, 4], dtype)
    places = np.array([[0.0, 1.5, 2.5]])
    found = ndimage[1].map_coordinates(cp.asarray(values), cp.asarray(places), order=1)
    assert found.tolist() == [1, 2, 4]
    assert ndimage[0].map_coordinates(values, places, order=1).tolist() == [1, 3, 4]
    assert ndimage[1].shift(cp.asarray(values * 2 + 1), 0.5, order=1).dtype == values.dtype
