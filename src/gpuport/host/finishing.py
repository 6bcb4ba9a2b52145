"""What NumPy gives, as what CuPy gives: arrays of the device, views of those they are views of."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.dtypes import SUPPORTED_CHARS, cast, is_supported
from gpuport.host.memoryorder import in_c_order
from gpuport.host.ndarray import ndarray, wrap


def finish(result: Any, owners: list[ndarray], arranged: bool) -> tuple[Any, bool]:
    """Device form of a result, and whether it is memory of its own (which took a launch).

    Memory of its own is in C order, where it has not been `arranged` otherwise.
    """
    if isinstance(result, np.ndarray):
        if type(result) is not np.ndarray:
            result = np.asarray(result)
        if result.dtype.char not in SUPPORTED_CHARS and not _of_an_owner(result, owners):
            raise ValueError(f"Unsupported dtype {result.dtype}")
        for owner in owners:
            if result is owner._a:
                return owner, False
        if result.base is not None:
            holder = _holder(result)
            for owner in owners:
                if holder.base is None and _holder(owner._a) is not holder:
                    continue
                if np.may_share_memory(result, owner._a) or descends(result, owner._a):
                    return wrap(_writable(result, owner), owner), False
        return wrap(result if arranged else in_c_order(result)), True
    if isinstance(result, np.generic):
        return wrap(np.asarray(result)), True
    if isinstance(result, (list, tuple)):
        parts = [finish(part, owners, arranged) for part in result]
        values = [part for part, _ in parts]
        made = any(fresh for _, fresh in parts)
        if hasattr(result, "_fields"):
            return type(result)(*values), made
        return type(result)(values), made
    return result, True


def _of_an_owner(result: Any, owners: list[ndarray]) -> bool:
    return is_supported(result.dtype) or any(owner.dtype == result.dtype for owner in owners)


def _holder(values: Any) -> Any:
    """The array at the end of a chain of views: two that hold their own memory share none."""
    while type(values.base) is np.ndarray:
        values = values.base
    return values


def descends(view: Any, origin: Any) -> bool:
    """Whether an array without elements is a view of `origin`: it shares no memory to tell by."""
    base = view if view.size == 0 else None
    while base is not None and base is not origin:
        base = getattr(base, "base", None)
    return base is origin


def _writable(view: Any, owner: ndarray) -> Any:
    """CuPy's views can always be written to."""
    if view.flags.writeable:
        return view
    try:
        view.flags.writeable = True
    except ValueError:
        return np.lib.stride_tricks.as_strided(view, view.shape, view.strides, writeable=True)
    return view


def store(result: Any, out: Any) -> Any:
    """Write a finished result into `out`, as every ``out=`` of CuPy does."""
    if not isinstance(out, ndarray):
        raise TypeError(f"Unsupported type {type(out)}")
    values = result._a if isinstance(result, ndarray) else np.asarray(result)
    if values.shape != out.shape:
        raise ValueError("Out shape is mismatched")
    out._a[...] = values if values.dtype == out.dtype else cast(values, out.dtype)
    return out
