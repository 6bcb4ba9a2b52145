"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.counters import KERNELS
from gpuport.host.dtypes import flush_denormals
from gpuport.host.ndarray import wrap
from gpuport.host.registry import implements
from gpuport.host.ufuncs import operand, store_cast


@implements("cupy.matmul")
def matmul(x1: Any, x2: Any, /, out: Any = None, **kwargs: Any) -> Any:
    """Matrix product."""
    KERNELS["cupy_matmul"] += 1
    casting = kwargs.pop("casting", "same_kind")
    into, kwargs["out"] = (out[0] if isinstance(out, tuple) else out), None
    if into is not None and "axes" in kwargs:
        kwargs["out"] = np.empty(into.shape, np.result_type(operand(x1), operand(x2)))
    with np.errstate(all="ignore"):
        result = np.asarray(np.matmul(operand(x1), operand(x2), **kwargs))
    if result.dtype == np.float32:
        flush_denormals(result)
    if into is not None and into.shape != result.shape:
        result = np.broadcast_to(result, into.shape)
    return store_cast(result, into, casting)


@implements("cupy.dot")
def dot(a: Any, b: Any, out: Any = None) -> Any:
    """Product over the last axis of `a` and the second-last of `b`."""
    left, right = operand(a), operand(b)
    if out is not None:
        if np.result_type(left, right) != out.dtype:
            raise ValueError("Not supported dtype combination.")
        if not out.flags.c_contiguous:
            raise ValueError("Output array must be C-contiguous")
    KERNELS["cupy_dot"] += 1
    with np.errstate(all="ignore"):
        result = np.asarray(np.dot(left, right))
    if result.dtype == np.float32:
        flush_denormals(result)
    if out is None:
        return wrap(result)
    if out.shape != result.shape:
        raise ValueError("Output array has an invalid shape")
    out._a[...] = result
    return out
