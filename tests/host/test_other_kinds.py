"""Results of another kind than NumPy's, and refusals, as CuPy 14.2's own front end gives them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

KINDS: dict[str, tuple[Callable[[Any], Any], str, tuple[int, ...]]] = {
    "variance in integers": (lambda cp: cp.var(cp.arange(4.0), dtype=np.int64), "float64", ()),
    "variance of the data's type": (
        lambda cp: cp.nanvar(cp.arange(4.0), dtype=np.float32), "float64", (),
    ),
    "kron with a number": (lambda cp: cp.kron(cp.arange(3, dtype=np.int8), 2), "int8", (3,)),
    "kron with a float": (lambda cp: cp.kron(cp.arange(3, dtype="f"), 2.5), "float32", (3,)),
    "kron of arrays": (lambda cp: cp.kron(cp.arange(3), cp.ones(2)), "float64", (6,)),
    "condition, 1-norm": (lambda cp: cp.linalg.cond(cp.eye(3) * 1j, 1), "complex128", ()),
    "condition, 2-norm": (lambda cp: cp.linalg.cond(cp.eye(3) * 1j), "float64", ()),
    "condition of real": (lambda cp: cp.linalg.cond(cp.eye(3), 1), "float64", ()),
    "median of a number": (lambda cp: cp.median(cp.array(2.0), keepdims=True), "float64", (1,)),
    "nanmedian of a count": (lambda cp: cp.nanmedian(cp.array(2), keepdims=True), "float64", (1,)),
    "quantile of truths": (lambda cp: cp.quantile(cp.array([True, False]), 1), "int64", ()),
}  # fmt: skip

REFUSED: dict[str, tuple[Callable[[Any], Any], type[Exception], str]] = {
    "deviation in integers": (
        lambda cp: cp.std(cp.arange(4.0), dtype=np.int64),
        TypeError, "Wrong type (int64) of arguments for cupy_sqrt",
    ),
    "complex sum with a dtype": (
        lambda cp: cp.nansum(cp.arange(3) * 1j, dtype=np.float32),
        TypeError,
        "Wrong type (<class 'numpy.float32'>) of arguments for cupy_nansum_complex_dtype",
    ),
    "shift of floats": (
        lambda cp: cp.roll(cp.arange(3), cp.array([1.0])),
        TypeError,
        "Cannot cast output operand from dtype('float64') to dtype('int64') according to the rule "
        "'same_kind'",
    ),
    "middle of no integers": (
        lambda cp: cp.nanmedian(cp.zeros(0, int)), ValueError, "kth(=-1) out of bounds 0",
    ),
    "product with a complex number": (
        lambda cp: cp.dot(cp.arange(3.0), 1j),
        TypeError,
        "Argument 'b' has incorrect type (expected cupy._core.core._ndarray_base, got complex)",
    ),
    "outer with a complex number": (
        lambda cp: cp.outer(cp.arange(3.0), 1j),
        AttributeError, "'complex' object has no attribute 'ravel'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", KINDS)
def test_kinds(cp: Any, case: str) -> None:
    call, dtype, shape = KINDS[case]
    found = call(cp)
    assert (found.dtype.name, found.shape) == (dtype, shape)


@pytest.mark.parametrize("case", REFUSED)
def test_refused(cp: Any, case: str) -> None:
    call, kind, message = REFUSED[case]
    with pytest.raises(kind) as raised:
        call(cp)
    assert str(raised.value) == message


def test_empty_floats_have_a_median_that_is_not_a_number(cp: Any) -> None:
    assert np.isnan(cp.nanmedian(cp.zeros(0)).get())


def test_complex_fill_values_are_taken(cp: Any) -> None:
    assert cp.full(3, 1j).dtype == np.complex128
    assert complex(cp.where(cp.array(True), 1j, 0)) == 1j
