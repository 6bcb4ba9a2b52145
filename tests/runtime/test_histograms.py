"""Histograms on the device count what NumPy's count, values on the edges included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport import runtime

TENTHS = np.round(np.random.default_rng(3).normal(size=400), 1)
WEIGHTS = np.arange(400) % 7 / 4


def compare(cp: Any, values: Any, *bins: Any, weights: Any = None, **others: Any) -> None:
    expected = np.histogram(values, *bins, weights=weights, **others)
    on_device = None if weights is None else cp.asarray(weights)
    found = runtime.histogram(cp.asarray(values), *bins, weights=on_device, **others)
    for ours, theirs in zip(found, expected, strict=True):
        assert isinstance(ours, cp.ndarray)
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(cp.asnumpy(ours), theirs)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "?"])
@pytest.mark.parametrize("bins", [(), (7,), (20, (-4.0, 4.0)), ([-1.0, 0.0, 0.5],)])
def test_counts_and_edges(either_cupy: Any, dtype: str, bins: Any) -> None:
    values = abs(TENTHS) if dtype == "u1" else TENTHS
    compare(either_cupy, values.astype(dtype), *bins)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
def test_weights_and_density(either_cupy: Any, dtype: str) -> None:
    compare(either_cupy, TENTHS, 9, weights=WEIGHTS.astype(dtype))
    compare(either_cupy, TENTHS, 9, (-1, 1), density=True)


def test_what_is_nowhere_is_not_counted(either_cupy: Any) -> None:
    compare(either_cupy, np.array([np.nan, 0.0, 1.0, 2.0, np.inf]), 2, (0.0, 1.0))
    compare(either_cupy, np.zeros(0), 3)
    compare(either_cupy, np.full(5, 2.0), 3)


def test_the_greatest_is_in_the_last_bin(either_cupy: Any) -> None:
    compare(either_cupy, np.array([0, 1e8], dtype="f4"), 4)


@settings(max_examples=40, deadline=None)
@given(
    low=st.integers(-40, 10), width=st.integers(1, 50), bins=st.integers(1, 30),
    scale=st.sampled_from([0.1, 0.3, 1.0, 7.0]),
)  # fmt: skip
def test_values_on_edges(either_cupy: Any, low: int, width: int, bins: int, scale: float) -> None:
    values = np.arange(-45, 65) * scale
    compare(either_cupy, values, bins, (low * scale, (low + width) * scale))


def test_what_numpy_refuses(either_cupy: Any) -> None:
    x = either_cupy.arange(4.0)
    for bins, limits in ((0, None), (3, (2.0, 1.0)), ([2.0, 1.0], None), (2.5, None)):
        with pytest.raises((ValueError, TypeError)) as theirs:
            np.histogram(np.arange(4.0), bins, limits)
        with pytest.raises(theirs.type):
            runtime.histogram(x, bins, limits)


def test_arrays_of_the_host_stay_there(either_cupy: Any) -> None:
    counts, edges = runtime.histogram(TENTHS, 5)
    assert type(counts) is type(edges) is np.ndarray
