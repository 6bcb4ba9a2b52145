"""Arithmetic that the device does otherwise than NumPy, by the name of the ufunc."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _check_range(x: Any, y: Any) -> None:
    """Python's integers have to fit the other operand's type.

    Raises
    ------
    OverflowError
    """
    for number, other in ((x, y), (y, x)):
        kind = getattr(other, "dtype", None)
        if type(number) is int and kind is not None and kind.kind in "iu":
            np.array(number, kind)


def _is_floating(*values: Any) -> bool:
    return bool(np.result_type(*values).kind == "f")


def _floor_divide(x: Any, y: Any) -> Any:
    if not _is_floating(x, y):
        return np.floor_divide(x, y)
    return np.floor(np.divide(x, y))


def _remainder(x: Any, y: Any) -> Any:
    if not _is_floating(x, y):
        return np.remainder(x, y)
    return np.subtract(x, np.multiply(np.floor(np.divide(x, y)), y))


def _divmod(x: Any, y: Any) -> Any:
    if not _is_floating(x, y):
        return np.divmod(x, y)
    quotient = np.floor(np.divide(x, y))
    return quotient, np.subtract(x, np.multiply(quotient, y))


def _true_divide(x: Any, y: Any) -> Any:
    """Complex numbers are divided as ``complex.cuh`` of CuPy does it, scaled by the divisor."""
    result = np.true_divide(x, y, order="C")
    if result.dtype.kind != "c":
        return result
    result = np.asarray(result)
    x, y = np.asarray(x, result.dtype), np.asarray(y, result.dtype)
    real, imaginary = y.real, y.imag
    scale = 1 / (np.abs(real) + np.abs(imaginary))
    a, b, c, d = x.real * scale, x.imag * scale, real * scale, imaginary * scale
    scale = 1 / (c * c + d * d)
    result.real, result.imag = (a * c + b * d) * scale, (b * c - a * d) * scale
    return result


def _absolute(x: Any) -> Any:
    """Of complex numbers ``hypot``, as ``complex.cuh`` has it."""
    if getattr(getattr(x, "dtype", None), "kind", "") == "c":
        return np.hypot(x.real, x.imag, order="C")
    return np.absolute(x, order="C")


_SQUARED = frozenset({np.dtype(np.float32), np.dtype(np.float64)})


def _power(x: Any, y: Any) -> Any:
    """Integers to negative powers are 0, but for the bases 1 and -1."""
    if type(y) is int and y == 2 and getattr(x, "dtype", None) in _SQUARED:
        return np.square(x, order="C")
    _check_range(x, y)
    if np.result_type(x, y).kind == "c":
        return _complex_power(x, y)
    if np.result_type(x, y).kind not in "iu":
        return np.power(x, y, order="C")
    exponent = np.asarray(y)
    if exponent.size == 0 or not (exponent < 0).any():
        return np.power(x, y, order="C")
    base = np.asarray(x)
    positive = np.power(x, np.where(exponent < 0, 0, exponent))
    dtype = np.result_type(x, y)
    inverse = np.where(base == 1, 1, np.where(base == -1, np.where(exponent % 2, -1, 1), 0))
    return np.where(exponent < 0, inverse, positive).astype(dtype)


def _complex_power(x: Any, y: Any) -> Any:
    """Through logarithms, as ``cpow.h`` of CuPy has it; source: ``complex_power``, its preamble."""
    dtype = np.result_type(x, y)
    base, exponent = np.asarray(x, dtype), np.asarray(y, dtype)
    found = np.exp(np.log(base) * exponent)
    return np.asarray(np.where(exponent == 0, dtype.type(1), found), order="C")


def _shift(numpy_shift: Any, beyond: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Shifts by all bits or more, and by negative counts, which the device takes for huge ones."""

    def shift(x: Any, y: Any) -> Any:
        _check_range(x, y)
        dtype = np.result_type(x, y)
        if dtype.kind not in "iu":
            return numpy_shift(x, y)
        values, counts = np.asarray(x).astype(dtype), np.asarray(y).astype(dtype)
        outside = (counts < 0) | (counts >= 8 * dtype.itemsize)
        if not outside.any():
            return numpy_shift(values, counts)
        shifted = numpy_shift(values, np.where(outside, 0, counts).astype(dtype))
        return np.where(outside, beyond(values), shifted).astype(dtype)

    return shift


def _reciprocal(x: Any) -> Any:
    """Of the whole number 0 it is 0; source: ``reciprocal``, _routines_math.pyx."""
    values = np.asarray(x)
    if values.dtype.kind not in "iu":
        return np.reciprocal(x, order="C")
    return np.where(values == 0, 0, np.reciprocal(np.where(values == 0, 1, values)))


def _logical_xor(x: Any, y: Any) -> Any:
    _check_range(x, y)
    return np.logical_xor(x, y)


def _in_floating_type(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Small integers take the floating type that can hold them, as those of other ufuncs do."""

    def compute(x: Any) -> Any:
        values = np.asarray(x)
        kind = np.exp(np.zeros(1, values.dtype)).dtype
        return np.asarray(function(values)).astype(kind, copy=False)

    return compute


def _sinc(x: Any) -> Any:
    """By ``sinpi``, which is 0 at whole numbers; NaN is taken for 0."""
    if np.asarray(x).dtype.kind == "c":
        return np.sinc(x)
    whole = np.isfinite(x) & (np.trunc(x) == x) & (np.asarray(x) != 0)
    return np.where(np.isnan(x), 1, np.where(whole, 0, np.sinc(x)))


def _i0(x: Any) -> Any:
    return np.where(np.isinf(x), np.inf, np.i0(x))


def _sign(x: Any) -> Any:
    """Truth values are small integers here."""
    values = np.asarray(x)
    return np.sign(values.astype(np.int8) if values.dtype.kind == "b" else values)


def _fix(x: Any) -> Any:
    return np.trunc(x)


OWN: dict[str, Callable[..., Any]] = {
    "cupy_floor_divide": _floor_divide,
    "cupy_remainder": _remainder,
    "cupy_divmod": _divmod,
    "cupy_absolute": _absolute,
    "cupy_true_divide": _true_divide,
    "cupy_power": _power,
    "cupy_left_shift": _shift(np.left_shift, np.zeros_like),
    "cupy_right_shift": _shift(np.right_shift, lambda values: -(values < 0).astype(values.dtype)),
    "cupy_reciprocal": _reciprocal,
    "cupy_logical_xor": _logical_xor,
    "cupy_fix": _fix,
    "cupy_sign": _sign,
    "cupy_sinc": _in_floating_type(_sinc),
    "cupy_i0": _in_floating_type(_i0),
}
