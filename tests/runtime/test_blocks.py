"""`block` is NumPy's, on both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuport import host
from gpuport.runtime import block

DTYPES = st.sampled_from(["float64", "float32", "int64", "int16", "uint16", "bool", "complex64"])


@st.composite
def lists(draw: st.DrawFn) -> list[Any]:
    """Rows of blocks that fit, of one to three axes, some of them transposed."""
    axes = draw(st.integers(1, 3))
    heights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    widths = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    leading = (2,) * (axes - 2)

    def made(height: int, width: int) -> Any:
        shape = (*leading, height, width)[-axes:]
        count = int(np.prod(shape))
        array = np.arange(count).reshape(shape).astype(draw(DTYPES))
        return np.asfortranarray(array) if draw(st.booleans()) else array

    rows = [[made(height, width) for width in widths] for height in heights]
    return rows if axes > 1 else rows[0]


def on_device(arrays: Any, cupy: Any) -> Any:
    """The same lists with arrays of the device."""
    if isinstance(arrays, list):
        return [on_device(one, cupy) for one in arrays]
    return cupy.asarray(arrays) if isinstance(arrays, np.ndarray) else arrays


@given(arrays=lists())
def test_blocks_are_put_together(arrays: list[Any]) -> None:
    expected = np.block(arrays)
    host.install(version=14)
    try:
        import cupy as cp

        found = block(on_device(arrays, cp))
        assert isinstance(found, cp.ndarray)
        values = cp.asnumpy(found)
    finally:
        host.uninstall()
    assert values.dtype == expected.dtype
    np.testing.assert_array_equal(values, expected)


def test_numbers_and_vectors_stand_beside_arrays(emulated: Any) -> None:
    a, b = np.ones((2, 2), np.float32), np.arange(2.0)
    for arrays in ([[a, a], [b, 1.5, 2]], [a, [[3.0], [4.0]]][:1], a, [[a], [b]]):
        expected = np.block(arrays)
        found = block(on_device(arrays, emulated))
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(emulated.asnumpy(found), expected)


def test_what_is_made_is_no_view(emulated: Any) -> None:
    a = emulated.ones((2, 2))
    for arrays in (a, [a], [[a]]):
        found = block(arrays)
        found += 1.0
        assert float(a.sum()) == 4.0


@pytest.mark.parametrize("wrong", [[[], []], [[1.0], 2.0], ((1.0, 2.0),), [[1.0], [2.0, 3.0]]])
def test_lists_that_are_no_blocks(emulated: Any, wrong: Any) -> None:
    a = emulated.ones((2, 2))
    with pytest.raises((TypeError, ValueError)) as theirs:
        np.block([[np.ones((2, 2)), np.ones((2, 2))], wrong])
    with pytest.raises(theirs.type):
        block([[a, a], wrong])


def test_arrays_of_numpy_go_to_numpy() -> None:
    a = np.ones((2, 2))
    np.testing.assert_array_equal(block([[a, a], [a, a]]), np.ones((4, 4)))


@pytest.mark.parametrize("size", [2, 600])
def test_the_dtype_is_that_of_the_rows_where_they_are_put_together(
    size: int, emulated: Any
) -> None:
    rows = [["float32", "float32"], ["int16", "uint16"]]
    arrays = [[np.ones((size, size), one) for one in row] for row in rows]
    found = block(on_device(arrays, emulated))
    assert found.dtype == np.block(arrays).dtype
