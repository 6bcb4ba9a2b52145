"""Choosing elements by place or by condition."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.functions.arguments import typed
from gpuport.host.kernels.errors import CompileException
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.operands import operand, store_cast
from gpuport.host.promotion import RULE, by_value
from gpuport.host.registry import implements
from gpuport.host.state import cupy_major


def _axis(axis: Any, ndim: int) -> int:
    """A valid axis.

    Raises
    ------
    numpy.exceptions.AxisError
    """
    if not -ndim <= axis < ndim:
        raise np.exceptions.AxisError(axis, ndim)
    return int(axis)


def _wrapped(indices: Any, length: int) -> Any:
    """Indices brought into range, computed wide: a length need not fit the indices' type."""
    wide = indices if indices.dtype == np.uint64 else indices.astype(np.int64)
    return np.mod(wide, length) if length else wide


@implements("cupy.take")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> Any:
    """Elements at `indices`, wrapped into range."""
    values = a._a if isinstance(a, ndarray) else a.take
    if values.ndim == 0 and axis in (0, -1):
        axis = None
    length = values.size if axis is None else values.shape[_axis(axis, values.ndim)]
    where = indices._a if isinstance(indices, ndarray) else np.asarray(indices)
    if not isinstance(indices, ndarray) and where.ndim:
        counters.h2d(where.nbytes)
    if out is not None:
        _check_taken(values, where, axis, out)
    if isinstance(indices, ndarray) and where.size and where.dtype.kind in "fc":
        raise CompileException.of_cupy("expression must have integral or unscoped enum type")
    if values.size == 0 and where.size and 0 not in _taken_shape(values, where, axis):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    KERNELS["cupy_take"] += 1
    result = np.asarray(np.take(values, _wrapped(where, length), axis))
    if out is None:
        return wrap(result)
    out._a[...] = result
    return out


def _taken_shape(values: Any, where: Any, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(where.shape)
    axis %= values.ndim
    return tuple(values.shape[:axis] + where.shape + values.shape[axis + 1 :])


def _check_taken(values: Any, where: Any, axis: Any, out: ndarray) -> None:
    if out.dtype != values.dtype:
        raise TypeError("Output dtype mismatch")
    if out.shape != _taken_shape(values, where, axis):
        raise ValueError("Output shape mismatch")


@implements("cupy.put")
def put(a: Any, ind: Any, v: Any, mode: str = "wrap") -> None:
    """Overwrite flat elements."""
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError("clipmode not understood")
    where = ind._a if isinstance(ind, ndarray) else np.asarray(ind)
    values = v._a if isinstance(v, ndarray) else np.array(v, a.dtype)
    KERNELS["cupy_put"] += 1
    if mode == "raise":
        counters.sync()
    np.put(a._a, where, values, mode)  # type: ignore[arg-type]


@implements("cupy.where")
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    """Choose elementwise, or the indices where true."""
    missing = (x is None, y is None)
    if all(missing):
        KERNELS["cupy_nonzero"] += 3
        counters.sync()
        return tuple(wrap(part) for part in np.nonzero(condition._a))
    if any(missing):
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    KERNELS["cupy_where"] += 1
    values = [operand(value) for value in (condition, x, y)]
    result = np.where(*(by_value(values) if RULE.by_value else values))
    return wrap(in_c_order(result))


@implements("cupy.clip")
def clip(a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """Limit values."""
    if a_min is None and a_max is None and cupy_major() < 14:
        raise ValueError("array_clip: must set either max or min")
    values = operand(a)
    bounds = [None if bound is None else operand(bound) for bound in (a_min, a_max)]
    if RULE.by_value:
        known = iter(by_value([values, *(bound for bound in bounds if bound is not None)])[1:])
        bounds = [None if bound is None else next(known) for bound in bounds]
    given = [value for value in (values, *bounds) if value is not None]
    if len(given) < 3 and np.asarray(values).dtype.kind in "bc":
        raise TypeError("Unsupported type <class 'NoneType'>")
    if np.result_type(*given).kind == "c":
        kinds = tuple(np.asarray(value).dtype for value in given)
        raise TypeError(f"Wrong type ({kinds}) of arguments for cupy_clip")
    kind = np.asarray(values).dtype
    for bound in bounds:
        if type(bound) is int and kind.kind in "iu":
            kind.type(bound)  # as an operand of its own kernel it must fit
    KERNELS["cupy_clip"] += 1
    low, high = bounds
    result = in_c_order(np.clip(values, low, high))
    return store_cast(result, out, "same_kind")


@implements("cupy.piecewise")
def piecewise(x: Any, condlist: Any, funclist: Any) -> Any:
    """Choose constants by conditions."""
    values = typed(x, "x")
    conditions = [condlist] if np.isscalar(condlist) else list(condlist)
    constants = list(funclist)
    if len(constants) not in (len(conditions), len(conditions) + 1):
        raise ValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} or "
            f"{len(conditions) + 1} functions are expected"
        )
    if any(callable(function) for function in constants):
        raise NotImplementedError("Callable functions are not supported currently")
    out = np.zeros_like(values, order="C")
    if len(constants) > len(conditions):
        KERNELS["cupy_fill"] += 1
        out[...] = operand(constants.pop())
    for condition, constant in zip(conditions, constants, strict=True):
        KERNELS["cupy_piecewise_kernel"] += 1
        np.copyto(out, operand(constant), "unsafe", where=np.asarray(operand(condition), bool))
    return wrap(out)


@implements("cupy.select")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """Choose by the first true condition."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if len(condlist) == 0:
        raise ValueError("select with an empty condition list is not possible")
    if not np.isscalar(default):
        raise TypeError("default only accepts scalar values")
    for place, (condition, choice) in enumerate(zip(condlist, choicelist, strict=True)):
        if not isinstance(choice, ndarray):
            raise TypeError("choicelist only accepts lists of cupy ndarrays")
        if condition.dtype != np.bool_:
            raise ValueError(f"invalid entry {place} in condlist: should be boolean ndarray")
    choices: list[Any] = [x._a for x in choicelist]
    if np.result_type(*choices) == np.bool_ and not isinstance(default, (bool, np.bool_)):
        raise TypeError(
            f"Cannot cast scalar from {np.asarray(default).dtype!r} to dtype('bool') "
            "according to the rule 'same_kind'"
        )
    KERNELS["cupy_copyto"] += len(condlist) + 1
    found = np.select([x._a for x in condlist], choices, default)
    return wrap(found.astype(np.result_type(*choices)))


@implements("cupy.fill_diagonal")
def fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    """Write the diagonal."""
    KERNELS["cupy_fill_diagonal"] += 1
    np.fill_diagonal(a._a, val._a if isinstance(val, ndarray) else val, wrap)
