"""Ufuncs with ``out`` and ``where`` on the device: NumPy's results, and NumPy's errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gpuport.runtime import masked

UFUNCS = ("divide", "log", "multiply", "sqrt", "exp", "maximum", "add", "absolute", "greater")
NUMBERS = st.one_of(
    st.floats(width=32), st.sampled_from([0.0, -0.0, np.nan, np.inf, -np.inf, 5e-324, 1e308])
)


@pytest.fixture(scope="module")
def cp(either_cupy):
    return either_cupy


@settings(deadline=None)  # a kernel is compiled at the first one
@given(
    name=st.sampled_from(UFUNCS),
    x=arrays.arrays("float64", (3, 4), elements=NUMBERS),
    y=arrays.arrays("float64", st.sampled_from([(3, 4), (4,), (3, 1), (1, 1)]), elements=NUMBERS),
    where=arrays.arrays("bool", st.sampled_from([(3, 4), (4,), (3, 1)])),
    dtype=st.sampled_from(["float64", "float32", "complex128"]),
)
def test_as_numpy_has_it(cp, name: str, x: Any, y: Any, where: Any, dtype: str) -> None:
    ufunc = getattr(np, name)
    operands = (x, y)[: ufunc.nin]
    out = np.full((3, 4), -7.0, dtype)
    there = cp.asarray(out)
    with np.errstate(all="ignore"):
        ufunc(*operands, out=out, where=where)
        given_back = getattr(masked, name)(
            *map(cp.asarray, operands), out=there, where=cp.asarray(where)
        )
    assert given_back is there
    np.testing.assert_array_max_ulp(cp.asnumpy(there).real, out.real, maxulp=4)
    assert there.dtype == out.dtype


def test_what_is_written_may_be_what_is_read(cp) -> None:
    x = cp.asarray([1.0, 2.0, 3.0])
    masked.multiply(x, x[::-1], out=x, where=x > 1)
    assert cp.asnumpy(x).tolist() == [1.0, 4.0, 3.0]


@pytest.mark.parametrize("where", [True, False, np.True_])
def test_a_mask_of_one_truth_value(cp, where: Any) -> None:
    x = masked.add(cp.ones(2), 1.0, out=cp.zeros(2), where=where)
    assert cp.asnumpy(x).tolist() == np.add(np.ones(2), 1.0, out=np.zeros(2), where=where).tolist()


@pytest.mark.parametrize(
    ("operands", "out", "where", "error"),
    [
        (([1.0, 2.0], [1.0, 2.0]), np.zeros(2, int), [True, False], TypeError),
        (([1.0, 2.0], [1.0, 2.0]), np.zeros(2), [1, 0], TypeError),
        (([1.0, 2.0], [1.0, 2.0]), np.zeros(3), [True], ValueError),
        (([1.0, 2.0], [1.0, 2.0]), np.zeros(2), [[True, False]] * 2, ValueError),
    ],
)
def test_what_numpy_refuses(cp, operands: Any, out: Any, where: Any, error: type) -> None:
    given = [np.asarray(one) for one in operands]
    with pytest.raises(error):
        np.divide(*given, out=out, where=np.asarray(where))
    with pytest.raises(error):
        masked.divide(*map(cp.asarray, given), out=cp.asarray(out), where=cp.asarray(where))


def test_numpy_arrays_go_to_numpy() -> None:
    out = np.zeros(2)
    assert masked.log(np.array([1.0, 0.0]), out=out, where=np.array([True, False])) is out
    assert out.tolist() == [0.0, 0.0]


def test_names_of_no_ufunc() -> None:
    with pytest.raises(AttributeError, match="no ufunc `sum`"):
        masked.sum  # noqa: B018
