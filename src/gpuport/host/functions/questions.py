"""What an array is: shape, memory, equality with another, real and imaginary part."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.operands import operand
from gpuport.host.registry import implements


@implements("cupy.allclose")
def allclose(
    a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Any:
    """0-d device array: whether all are close."""
    left, right, relative, absolute = (
        x._a if isinstance(x, ndarray) else x for x in (a, b, rtol, atol)
    )
    KERNELS["cupy_isclose"] += 1
    KERNELS["cupy_all"] += 1
    return wrap(np.asarray(np.allclose(left, right, relative, absolute, equal_nan)))


@implements("cupy.array_equal")
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """0-d device array: whether shapes and elements are equal."""
    if a1.shape != a2.shape:
        return wrap(np.asarray(False))
    if not equal_nan:
        return (a1 == a2).all()
    left, right = operand(a1), operand(a2)
    KERNELS["cupy_equal"] += 1
    KERNELS["cupy_all"] += 1
    return wrap(np.asarray(np.array_equal(left, right, equal_nan)))


@implements("cupy.array_equiv")
def array_equiv(a1: Any, a2: Any) -> Any:
    """0-d device array: whether the elements are equal once the shapes are brought together."""
    try:
        FUNCTIONS["broadcast"](a1, a2)
    except ValueError:
        return wrap(np.asarray(False))
    return (a1 == a2).all()


def _shares(name: str) -> Any:
    def shares(a: Any, b: Any, max_work: Any = None) -> Any:
        return bool(getattr(np, name)(a._a, b._a))

    return shares


implements("cupy.shares_memory")(_shares("shares_memory"))


implements("cupy.may_share_memory")(_shares("may_share_memory"))


@implements("cupy.size")
def size(a: Any, axis: Any = None) -> int:
    """Number of elements."""
    if axis is None:
        return int(np.prod(a.shape))
    if not -a.ndim <= axis < a.ndim:
        raise IndexError("index out of range")
    return int(a.shape[int(axis)])


@implements("cupy.ndim")
def ndim(a: Any) -> int:
    """Number of axes."""
    return int(a.ndim) if isinstance(a, ndarray) else np.ndim(a)


@implements("cupy.shape")
def shape(a: Any) -> tuple[int, ...]:
    """Lengths of the axes."""
    return tuple(a.shape) if isinstance(a, ndarray) else np.shape(a)


_FLAGS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F",
    "FORTRAN": "F", "O": "O", "OWNDATA": "O",
}  # fmt: skip


@implements("cupy.require")
def require(a: Any, dtype: Any = None, requirements: Any = None) -> Any:
    """Device array of a layout."""
    from gpuport.host.creation import asanyarray

    if not requirements:
        try:
            return asanyarray(a, dtype)
        except TypeError:
            raise ValueError(f'Incorrect dtype "{dtype}" provided') from None
    unknown = [flag for flag in requirements if flag.upper() not in _FLAGS]
    if unknown:
        raise ValueError(f'Incorrect flag "{unknown[0]}" in requirements')
    wanted = {_FLAGS[flag.upper()] for flag in requirements}
    if wanted >= {"C", "F"}:
        raise ValueError('Cannot specify both "C" and "F" order')
    order = "F" if "F" in wanted else "C" if "C" in wanted else "A"
    try:
        found = asanyarray(a, dtype, order)
    except TypeError:
        raise ValueError(f'Incorrect dtype "{dtype}" provided') from None
    return found.copy(order) if "O" in wanted and not found.flags.owndata else found


def _part(name: str) -> Any:
    def part(val: Any) -> Any:
        from gpuport.host.creation import array

        return getattr(val if isinstance(val, ndarray) else array(val), name)

    part.__name__ = part.__qualname__ = name
    return part


implements("cupy.real")(_part("real"))


implements("cupy.imag")(_part("imag"))
