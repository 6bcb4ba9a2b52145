"""Running extremes are NumPy's, on both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gpuport import host
from gpuport.runtime import running_maximum, running_minimum

PAIRS = [(running_minimum, np.minimum), (running_maximum, np.maximum)]
ARRAYS = hnp.arrays(
    st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_]),
    hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=9),
    elements={"allow_subnormal": False},  # those of float32 are flushed in CuPy's kernels
)


@pytest.mark.parametrize(("running", "ufunc"), PAIRS)
@given(array=ARRAYS, data=st.data())
def test_the_extremes_so_far(running: Any, ufunc: Any, array: Any, data: st.DataObject) -> None:
    axis = data.draw(st.integers(-array.ndim, array.ndim - 1))
    expected = ufunc.accumulate(array, axis)
    host.install(version=14)
    try:
        import cupy as cp

        given_in = cp.asarray(array)
        found = cp.asnumpy(running(given_in, axis))
        assert cp.asnumpy(given_in).tobytes() == array.tobytes()
    finally:
        host.uninstall()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(("running", "ufunc"), PAIRS)
def test_arrays_of_numpy_go_to_numpy(running: Any, ufunc: Any) -> None:
    array = np.array([[3.0, 1.0], [2.0, np.nan], [0.5, 4.0]])
    np.testing.assert_array_equal(running(array, axis=0), ufunc.accumulate(array, axis=0))


@pytest.mark.parametrize(("running", "ufunc"), PAIRS)
def test_an_axis_that_is_none(running: Any, ufunc: Any, emulated: Any) -> None:
    for array in (np.ones(3), emulated.ones(3)):
        with pytest.raises(np.exceptions.AxisError):
            running(array, 1)
