"""Floating ``//`` and ``%`` on the device: NumPy's to the last bit."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport.host.kernels import toolchain
from gpuport.runtime import floor_divide, floor_divide_ufunc, remainder, remainder_ufunc

EDGES = [0.0, -0.0, 1.0, -1.0, 0.1, -0.1, 5e-324, 1e308, 2.0**53, 6.5, np.inf, -np.inf, np.nan]
PAIRS = [(remainder, np.remainder), (floor_divide, np.floor_divide)]


@pytest.fixture(scope="module")
def cp(either_cupy):
    if not toolchain.available():
        pytest.skip("no C++ compiler")
    return either_cupy


def same(found, expected):
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(np.signbit(found)[found == 0], np.signbit(expected)[found == 0])


@pytest.mark.parametrize(("ours", "numpys"), PAIRS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_edges(cp, ours, numpys, dtype):
    with np.errstate(all="ignore"):
        x, y = np.array(list(itertools.product(EDGES, EDGES))).T.astype(dtype)
        same(cp.asnumpy(ours(cp.asarray(x), cp.asarray(y))), numpys(x, y))


@settings(deadline=None)  # a kernel is compiled at the first one
@given(st.lists(st.tuples(st.floats(), st.floats()), min_size=1, max_size=30))
def test_any_numbers(cp, pairs):
    x, y = np.array(pairs).T
    with np.errstate(all="ignore"):
        for ours, numpys in PAIRS:
            same(cp.asnumpy(ours(cp.asarray(x), cp.asarray(y))), numpys(x, y))


@pytest.mark.parametrize(("ours", "numpys"), PAIRS)
@pytest.mark.parametrize("number", [0.1, 3, True, np.float64(0.1), np.float32(0.1), np.int8(2)])
@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float16", "float32", "float64"])
def test_numbers_are_weak_where_numpys_are(cp, ours, numpys, number, dtype):
    x = np.arange(1, 9).astype(dtype)
    same(cp.asnumpy(ours(cp.asarray(x), number)), numpys(x, number))
    same(cp.asnumpy(ours(number, cp.asarray(x))), numpys(number, x))


def test_the_result_lies_as_a_ufuncs_does(cp):
    x = np.arange(6.0).reshape(2, 3).T
    assert (
        remainder(cp.asarray(x, order="A"), 2.5).flags.f_contiguous == (x % 2.5).flags.f_contiguous
    )
    assert remainder(cp.arange(3.0)[:, None], cp.arange(1.0, 3.0)).shape == (3, 2)


def test_in_place(cp):
    x = cp.arange(6.0)
    every_other = x[::2]
    assert remainder(every_other, 1.5, out=every_other) is every_other
    assert x.tolist() == [0.0, 1.0, 0.5, 3.0, 1.0, 5.0]
    narrow = cp.arange(4, dtype=cp.float32)
    assert floor_divide(narrow, cp.arange(1.0, 5.0), out=narrow).dtype == np.float32
    with pytest.raises(TypeError, match="same_kind"):
        remainder(cp.arange(3), 0.5, out=cp.arange(3))
    with pytest.raises(ValueError, match=r"shape|broadcast"):
        remainder(x, cp.ones((2, 6)), out=x)


def test_a_number_is_not_changed_in_place(cp):
    assert remainder(7.5, cp.asarray([2.0, 4.0]), out=7.5).tolist() == [1.5, 3.5]
    assert remainder(7.5, 2, out=7.5) == 1.5


def test_arrays_of_the_host_are_numpys(cp):
    x = np.arange(4.0)
    assert remainder(x, 1.5, out=x) is x
    assert x.tolist() == [0.0, 1.0, 0.5, 0.0]
    with pytest.raises(TypeError, match="Unsupported type"):
        remainder(cp.arange(4.0), x)


def test_calls_of_the_ufuncs_give_numbers_of_numpy_and_operators_those_of_python():
    assert type(remainder(7, 4)) is int
    assert type(remainder_ufunc(7, 4)) is np.int64
    assert type(floor_divide_ufunc(7.5, 2)) is np.float64
    assert remainder_ufunc([7.5, 8.5], 2).tolist() == [1.5, 0.5]
