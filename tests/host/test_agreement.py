"""Where CuPy agrees with NumPy, so does the host backend: values, dtypes and shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

KEYS = st.sampled_from(["add", "subtract", "multiply", "maximum", "less", "equal", "hypot"])
ARRAYS = hnp.arrays(
    st.sampled_from([np.int32, np.int64, np.float64]),
    hnp.array_shapes(max_dims=3, max_side=4),
    elements=st.integers(-50, 50),
)
QUIET = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@QUIET
@given(name=KEYS, data=ARRAYS, scalar=st.one_of(st.integers(-9, 9), st.floats(-9, 9)))
def test_ufuncs(cp: Any, name: str, data: Any, scalar: float) -> None:
    found = getattr(cp, name)(cp.asarray(data), scalar)
    expected = getattr(np, name)(data, scalar)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    if name == "hypot":  # CUDA's is off by up to 1 unit in the last place
        np.testing.assert_allclose(found.get(), expected, rtol=5e-16, atol=0)
    else:
        np.testing.assert_array_equal(found.get(), expected)


@QUIET
@given(data=ARRAYS, picker=st.data())
def test_basic_indexing_is_a_view(cp: Any, data: Any, picker: Any) -> None:
    key = picker.draw(hnp.basic_indices(data.shape, allow_newaxis=True))
    device = cp.asarray(data)
    found = device[key]
    np.testing.assert_array_equal(found.get(), data[key])
    if found.size:
        found[...] = 99
        data[key] = 99
        np.testing.assert_array_equal(device.get(), data)


@QUIET
@given(data=ARRAYS, picker=st.data())
def test_integer_indexing_in_range(cp: Any, data: Any, picker: Any) -> None:
    key = picker.draw(hnp.integer_array_indices(data.shape))
    found = cp.asarray(data)[tuple(cp.asarray(part) for part in key)]
    np.testing.assert_array_equal(found.get(), data[key])


@pytest.mark.parametrize("name", ["sum", "mean", "std", "max", "argmin", "cumsum", "prod", "any"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_reductions(cp: Any, name: str, axis: int | None) -> None:
    data = np.random.default_rng(1).normal(size=(4, 5))
    found = getattr(cp.asarray(data), name)(axis=axis)
    np.testing.assert_allclose(found.get(), getattr(data, name)(axis=axis), rtol=1e-13)
    assert type(found) is cp.ndarray
