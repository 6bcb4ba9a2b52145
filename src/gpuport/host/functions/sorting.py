"""Stable sorts, in the form that CuPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.memoryorder import in_c_order, with_axis_last
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.registry import implements


def _sorted(name: str) -> Any:
    def sort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
        if kind is not None and kind != "stable":
            raise ValueError("kind can only be None or 'stable'")
        values = a._a if isinstance(a, ndarray) else a
        if values.ndim == 0 and name == "sort" and axis is not None:
            raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
        values = np.atleast_1d(values)
        result = np.asarray(getattr(np, name)(values, axis, kind="stable"))
        if not isinstance(a, ndarray):
            return result
        KERNELS["cupy_" + name] += 1
        if name == "argsort" and axis is not None and result.ndim > 1:
            return wrap(with_axis_last(result, axis))
        return wrap(in_c_order(result))

    return sort


implements("cupy.sort")(_sorted("sort"))


implements("cupy.argsort")(_sorted("argsort"))


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
