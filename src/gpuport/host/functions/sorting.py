"""Stable sorts, in the form that CuPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.memoryorder import in_c_order, with_axis_last
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.registry import implements


def _values(a: Any, kind: Any) -> Any:
    """What is sorted, where the kind of sort is one that CuPy has."""
    if kind is not None and kind != "stable":
        raise ValueError("kind can only be None or 'stable'")
    return a._a if isinstance(a, ndarray) else a


@implements("cupy.sort")
def sort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    """Sorted along an axis, in C order."""
    values = _values(a, kind)
    if values.ndim == 0 and axis is not None:
        raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
    result = np.sort(np.atleast_1d(values), axis, kind="stable")
    if not isinstance(a, ndarray):
        return result
    KERNELS["cupy_sort"] += 1
    return wrap(in_c_order(result))


@implements("cupy.argsort")
def argsort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    """Indices that sort along an axis, which is the last one in memory."""
    result = np.argsort(np.atleast_1d(_values(a, kind)), axis, kind="stable")
    if not isinstance(a, ndarray):
        return result
    KERNELS["cupy_argsort"] += 1
    if axis is not None and result.ndim > 1:
        return wrap(with_axis_last(result, axis))
    return wrap(in_c_order(result))


@implements("cupy.msort")
def msort(a: Any) -> Any:
    """Sorted along the first axis."""
    return FUNCTIONS["sort"](a, 0)


@implements("cupy.lexsort")
def lexsort(keys: Any) -> Any:
    """Indices that sort by several keys, the last one first."""
    if keys.ndim == 0:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    if keys.ndim > 2:
        raise NotImplementedError("Keys with the rank of three or more is not supported in lexsort")
    KERNELS["cupy_lexsort"] += 1
    return wrap(np.asarray(np.lexsort(keys._a)) if keys.ndim > 1 else np.array(0, np.intp))
