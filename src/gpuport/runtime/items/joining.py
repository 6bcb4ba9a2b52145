"""Arrays of an item that are made of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpuport.runtime.items.arithmetic import weak_kind
from gpuport.runtime.items.containers import is_listed, plain_list
from gpuport.runtime.items.item import Item, Operand, is_stack
from gpuport.runtime.items.signals import Unbatched, refuse

if TYPE_CHECKING:
    from gpuport.runtime.items.trace import Trace


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in _leaves(one)]
    return [value]


def _dtype_of(leaf: Any) -> Any:
    if isinstance(leaf, (Operand, np.generic)):
        return leaf.dtype
    if isinstance(leaf, (bool, int, float, complex)):
        return np.asarray(leaf).dtype
    raise Unbatched("an array of something that is no number and no array")


def array(trace: Trace, value: Any, dtype: Any = None, **options: Any) -> Any:
    """``numpy.array`` of an array, or of nested lists."""
    if options.keys() - {"copy"} or options.get("copy", True) is not True:
        refuse("`array` in this form")
    return _array(trace, value, dtype, copies=True)


def asarray(trace: Trace, value: Any, dtype: Any = None) -> Any:
    """``numpy.asarray``: an array is itself."""
    return _array(trace, value, dtype, copies=False)


def _array(trace: Trace, value: Any, dtype: Any, *, copies: bool) -> Any:
    value = plain_list(value)
    if not isinstance(value, (list, tuple)):
        if not isinstance(value, Operand):
            return np.array(value, dtype)
        wanted = value.dtype if dtype is None else np.dtype(dtype)
        if not copies and wanted == value.dtype and not weak_kind(value):
            return value
        data = trace.data_of(value).astype(wanted)
        stacked = is_stack(value)
        return Item(trace, data, stacked=stacked, on_host=value.on_host)
    leaves = _leaves(value)
    if not any(isinstance(one, Operand) for one in leaves):
        return Item(trace, known=np.array(value, dtype), stacked=False, on_host=True)
    wanted = np.result_type(*map(_dtype_of, leaves)) if dtype is None else np.dtype(dtype)
    return _nested(trace, value, wanted)


def _nested(trace: Trace, value: Any, dtype: Any) -> Item:
    if not isinstance(value, (list, tuple)):
        return _leaf(trace, value, dtype)
    parts = [_nested(trace, one, dtype) for one in value]
    if len({one.shape for one in parts}) > 1:
        raise ValueError("setting an array element with a sequence: an inhomogeneous shape")
    return joined(trace, parts, "stack", 0)


def _leaf(trace: Trace, value: Any, dtype: Any) -> Item:
    if isinstance(value, Operand):
        data = trace.data_of(value).astype(dtype, copy=False)
        stacked = is_stack(value)
        return Item(trace, data, stacked=stacked, on_host=value.on_host)
    return Item(trace, known=np.array(value, dtype), stacked=False, on_host=True)


def joined(trace: Trace, parts: Sequence[Any], name: str, axis: int) -> Item:
    """``numpy.stack`` or ``concatenate`` of the values of each item."""
    parts = [one if isinstance(one, Operand) else asarray(trace, one) for one in parts]
    parts = [one if isinstance(one, Operand) else _leaf(trace, one, one.dtype) for one in parts]
    stacked = any(is_stack(one) for one in parts)
    rank = parts[0].ndim + (name == "stack")
    if any(one.ndim != parts[0].ndim for one in parts):
        raise ValueError("all the input arrays must have same number of dimensions")
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is out of bounds for array of dimension {rank}")
    axis %= rank
    data = [trace.data_of(one) for one in parts]
    if stacked:
        data = [
            one if is_stack(part)
            else trace.cupy.broadcast_to(one, (trace.count, *one.shape))
            for one, part in zip(data, parts, strict=True)
        ]  # fmt: skip
        axis += 1
    found = getattr(trace.cupy, name)(data, axis=axis)
    return Item(trace, found, stacked=stacked, on_host=all(one.on_host for one in parts))


def _listed(given: Any) -> list[Any]:
    if not is_listed(given):
        refuse("arrays are joined that are in no list")
    return list(given)


def _stack(trace: Trace, arrays: Any, axis: int = 0) -> Any:
    return joined(trace, _listed(arrays), "stack", axis)


def _concatenate(trace: Trace, arrays: Any, axis: int = 0) -> Any:
    return joined(trace, _listed(arrays), "concatenate", axis)


def _horizontal(trace: Trace, arrays: Any) -> Any:
    parts = [_vector(trace, one) for one in _listed(arrays)]
    return joined(trace, parts, "concatenate", 0 if parts[0].ndim == 1 else 1)


def _vertical(trace: Trace, arrays: Any) -> Any:
    parts = [_vector(trace, one) for one in _listed(arrays)]
    parts = [one[None, :] if one.ndim == 1 else one for one in parts]
    return joined(trace, parts, "concatenate", 0)


def _columns(trace: Trace, arrays: Any) -> Any:
    parts = [_vector(trace, one) for one in _listed(arrays)]
    parts = [one[:, None] if one.ndim == 1 else one for one in parts]
    return joined(trace, parts, "concatenate", 1)


def _vector(trace: Trace, value: Any) -> Any:
    """An array with one axis at least."""
    value = asarray(trace, value)
    if not isinstance(value, Operand):
        value = _leaf(trace, value, value.dtype)
    return value if value.ndim else trace.call("numpy.reshape", value, 1)


def _mesh(trace: Trace, *given: Any) -> Any:
    """``numpy.ix_``."""
    parts = [_vector(trace, one) for one in given]
    if any(one.ndim != 1 or one.dtype.kind not in "iu" for one in parts):
        refuse("`ix_` of something that is no vector of whole numbers")
    found = []
    for place, one in enumerate(parts):
        index = [None] * len(parts)
        index[place] = slice(None)  # type: ignore[call-overload]
        found.append(one[tuple(index)])
    return tuple(found)


JOININGS: dict[str, Callable[..., Any]] = {
    "array": array,
    "asarray": asarray,
    "ascontiguousarray": asarray,
    "asanyarray": asarray,
    "stack": _stack,
    "concatenate": _concatenate,
    "hstack": _horizontal,
    "vstack": _vertical,
    "column_stack": _columns,
    "ix_": _mesh,
}
