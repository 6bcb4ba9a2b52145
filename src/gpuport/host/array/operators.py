"""Operators: CuPy's ufuncs, or NotImplemented where the other operand takes over."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from gpuport.host.array.base import FUNCTIONS, OPERANDS, Array, wrap
from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import SCALAR_TYPES


def _defers(x: Any, y: Any) -> bool:
    try:
        other = y.__array_ufunc__
    except AttributeError:
        return bool(getattr(x, "__array_priority__", 0) < getattr(y, "__array_priority__", 0))
    return other is None


def _binary(name: str) -> tuple[Any, Any, Any]:
    numpy_ufunc = getattr(np, name)

    def forward(x: Any, y: Any) -> Any:
        if type(y) in OPERANDS:
            return FUNCTIONS[name](x, y)
        if _defers(x, y):
            return NotImplemented
        return numpy_ufunc(x, y)

    def reflected(x: Any, y: Any) -> Any:
        return FUNCTIONS[name](y, x)

    def in_place(x: Any, y: Any) -> Any:
        if _defers(x, y):
            return NotImplemented
        return FUNCTIONS[name](x, y, x)

    return forward, reflected, in_place


def _power() -> tuple[Any, Any, Any]:
    """``**`` and :func:`pow`, whose modulus CuPy leaves unread."""
    forward, reflected, in_place = _binary("power")

    def power(x: Any, y: Any, modulus: Any = None) -> Any:
        return forward(x, y)

    return power, reflected, in_place


def _without_values(kind: type, negated: bool) -> bool:
    """Whether objects of the class equal nothing but themselves, as None and Ellipsis do."""
    methods: Any = kind
    same = methods.__eq__ is object.__eq__
    return kind is type(None) or (same and (not negated or methods.__ne__ is object.__ne__))


def _comparison(name: str, others: bool | None = None) -> Any:
    """A comparison; `others` is what comes out for objects without values, where it is asked."""
    numpy_ufunc = getattr(np, name)

    def compare(x: Any, y: Any) -> Any:
        if type(y) in OPERANDS:
            return FUNCTIONS[name](x, y)
        if others is not None and _without_values(type(y), others):
            KERNELS["cupy_fill"] += others
            return wrap(np.full(x.shape, others))
        if _defers(x, y):
            return NotImplemented
        if isinstance(y, np.ndarray) and y.ndim == 0:
            y = y.item()
        return numpy_ufunc(x, y)

    return compare


class Operators(Array):
    """Arithmetic, comparisons, bits."""

    __slots__ = ()

    __add__, __radd__, __iadd__ = _binary("add")
    __sub__, __rsub__, __isub__ = _binary("subtract")
    __mul__, __rmul__, __imul__ = _binary("multiply")
    __truediv__, __rtruediv__, __itruediv__ = _binary("true_divide")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _binary("floor_divide")
    __mod__, __rmod__, __imod__ = _binary("remainder")
    __pow__, __rpow__, __ipow__ = _power()
    __lshift__, __rlshift__, __ilshift__ = _binary("left_shift")
    __rshift__, __rrshift__, __irshift__ = _binary("right_shift")
    __and__, __rand__, __iand__ = _binary("bitwise_and")
    __or__, __ror__, __ior__ = _binary("bitwise_or")
    __xor__, __rxor__, __ixor__ = _binary("bitwise_xor")
    __matmul__, _, _ = _binary("matmul")
    __divmod__, __rdivmod__, _ = _binary("divmod")
    __lt__ = _comparison("less")
    __le__ = _comparison("less_equal")
    __gt__ = _comparison("greater")
    __ge__ = _comparison("greater_equal")
    __eq__ = _comparison("equal", others=False)
    __ne__ = _comparison("not_equal", others=True)
    del _

    def __rmatmul__(self, other: Any) -> Any:
        if type(other) in SCALAR_TYPES:
            raise TypeError(
                f"Cannot convert {type(other).__name__} to cupy._core.core._ndarray_base"
            )
        return FUNCTIONS["matmul"](other, self)

    def __neg__(self) -> Any:
        return FUNCTIONS["negative"](self)

    def __pos__(self) -> Any:
        if self._a.dtype.kind != "b":
            return FUNCTIONS["positive"](self)
        warnings.warn(
            "Applying '+' to a non-numerical array is ill-defined. "
            "Returning a copy, but in the future this will error.",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.copy()

    def __abs__(self) -> Any:
        return FUNCTIONS["absolute"](self)

    def __invert__(self) -> Any:
        return FUNCTIONS["invert"](self)
