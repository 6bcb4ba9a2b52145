"""Floating-point ``//`` and ``%`` on the device as NumPy has them.

CuPy takes both from ``floor(x / y)``, where ``x / y`` has been rounded: ``1.0 % 0.1`` is -5.6e-17
on a GPU, which rounds ``x - q * y`` once, and 0.09999999999999995 in NumPy, which takes both from
C's ``fmod``, an exact function. The kernels follow NumPy's ``npy_divmod``
(numpy/_core/src/npymath/npy_math_internal.h.src).
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.runtime.fallback import loaded_cupy

_REMAINDER = """
T m = fmod(x, y);
if (y && !m) {
  m = copysign(T(0), y);
} else if (y && (y < 0) != (m < 0)) {
  m += y;
}
z = m;
"""

_FLOOR_DIVIDE = """
T m = fmod(x, y), q = (x - m) / y;
if (!y) {
  z = x / y;
} else {
  if (m && (y < 0) != (m < 0)) {
    q -= T(1);
  }
  const T down = floor(q);
  z = !q ? copysign(T(0), x / y) : q - down > T(0.5) ? down + T(1) : down;
}
"""


def remainder(x: Any, y: Any, out: Any = None) -> Any:
    """``x % y``, or ``x %= y`` where `out` is `x`.

    Parameters
    ----------
    x, y : cupy.ndarray, numpy.ndarray or number
        Of shapes that broadcast.
    out : cupy.ndarray or numpy.ndarray, optional
        Takes the result; as for ``%=`` the result has to be of a dtype that casts to its own.
        A number is not changed: the result is a new one.

    Returns
    -------
    cupy.ndarray, numpy.ndarray or number
        `out` where that is an array. Of the dtype that `x` and `y` have together, half precision
        computed in single precision; of floating numbers what NumPy gives to the last bit.

    Raises
    ------
    TypeError
        For what CuPy takes no ``%`` of: complex numbers, lists, NumPy's beside its own arrays.

    Notes
    -----
    The formulas are those of ``npy_remainder`` and ``npy_divmod`` in NumPy's ``npy_math``: the
    remainder of C's ``fmod``, which is exact, moved to the sign of `y`; the quotient is what is
    left, rounded to the next whole number.
    """
    return _divided("remainder", _REMAINDER, operator.mod, operator.imod, x, y, out)


def floor_divide(x: Any, y: Any, out: Any = None) -> Any:
    """``x // y``, or ``x //= y`` where `out` is `x`; all else as for :func:`remainder`."""
    return _divided("floor_divide", _FLOOR_DIVIDE, operator.floordiv, operator.ifloordiv, x, y, out)


def remainder_ufunc(x: Any, y: Any) -> Any:
    """``np.remainder(x, y)``: as :func:`remainder`; of numbers and lists what the ufunc gives."""
    return _divided("remainder", _REMAINDER, np.remainder, np.remainder, x, y, None)


def floor_divide_ufunc(x: Any, y: Any) -> Any:
    """``np.floor_divide(x, y)``; all else as for :func:`remainder_ufunc`."""
    return _divided("floor_divide", _FLOOR_DIVIDE, np.floor_divide, np.floor_divide, x, y, None)


def _divided(
    name: str,
    body: str,
    plain: Callable[[Any, Any], Any],
    in_place: Callable[[Any, Any], Any],
    x: Any,
    y: Any,
    out: Any,
) -> Any:
    cupy = loaded_cupy()
    if cupy is None or not (isinstance(x, cupy.ndarray) or isinstance(y, cupy.ndarray)):
        return plain(x, y) if out is None else in_place(out, y)
    if not isinstance(out, (cupy.ndarray, np.ndarray)):
        out = None
    if not all(_is_operand(cupy, one) for one in (x, y)):
        return plain(x, y)  # CuPy says what it does not take
    dtype = cupy.result_type(x, y)
    casts = out is None or cupy.can_cast(dtype, out.dtype, "same_kind")
    if dtype.kind != "f" or not casts:
        return getattr(cupy, name)(x, y, **({} if out is None else {"out": out}))
    computed = np.dtype(np.float32) if dtype.itemsize == 2 else dtype  # as NumPy does
    operands = [_as(cupy, _as(cupy, one, dtype), computed) for one in (x, y)]
    result = _kernel(cupy, name, body)(*operands, _empty(cupy, operands, computed))
    if out is None:
        return result.astype(dtype, copy=False)
    out[...] = result
    return out


def _is_operand(cupy: Any, value: Any) -> bool:
    return isinstance(value, cupy.ndarray) or cupy.isscalar(value)


def _as(cupy: Any, value: Any, dtype: Any) -> Any:
    if isinstance(value, cupy.ndarray):
        return value.astype(dtype, copy=False)
    return dtype.type(value)


def _empty(cupy: Any, operands: list[Any], dtype: Any) -> Any:
    """Room for the result, its axes in the order in memory that a ufunc gives them."""
    arrays = [one for one in operands if isinstance(one, cupy.ndarray)]
    shape = cupy.broadcast(*arrays).shape
    like = next((one for one in arrays if one.shape == shape), None)
    if like is None:
        return cupy.empty(shape, dtype)
    return cupy.empty_like(like, dtype)


@functools.cache
def _kernel(cupy: Any, name: str, body: str) -> Any:
    return cupy.ElementwiseKernel("T x, T y", "T z", body, f"gpuport_{name}")
