"""Places, counts and membership of values."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.functions.arguments import typed
from gpuport.host.ndarray import ndarray, wrap
from gpuport.host.refusals import no_axis
from gpuport.host.registry import implements


def _positions(name: str) -> Any:
    of_array = getattr(np.ndarray, name)

    def position(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        if not isinstance(a, ndarray):
            return getattr(a, name)(axis, out, keepdims)
        no_axis({"a": a, "axis": axis})
        if isinstance(axis, int) and not -a.ndim <= axis < a.ndim:
            raise np.exceptions.AxisError(axis, a.ndim)
        if a.size == 0 and (axis is None or a._a.shape[axis] == 0):
            raise ValueError(
                f"zero-size array to reduction operation cupy_{name} which has no identity"
            )
        if dtype is not None and np.dtype(dtype).kind not in "iu":
            raise TypeError(f"Wrong type ({dtype}) of arguments for cupy_{name}")
        KERNELS["cupy_" + name] += 1
        result = of_array(a._a, axis, keepdims=bool(keepdims))
        # the kernel's type is long long, which NumPy prints apart from int64
        result = np.asarray(result).astype(dtype or np.dtype("q"))
        if out is None:
            return wrap(result)
        if out.shape != result.shape:
            raise ValueError("Out shape is mismatched")
        out._a[...] = result
        return out

    return position


implements("cupy.argmax")(_positions("argmax"))


implements("cupy.argmin")(_positions("argmin"))


@implements("cupy.nonzero")
def nonzero(a: Any) -> Any:
    """Indices of elements that are not zero."""
    if isinstance(a, ndarray) and a.ndim == 0:
        raise ValueError(
            "Calling nonzero on 0d arrays is not allowed. "
            "Use cp.atleast_1d(scalar).nonzero() instead."
        )
    KERNELS["cupy_nonzero"] += 3
    counters.sync()
    return tuple(wrap(part) for part in np.nonzero(typed(a, "a")))


@implements("cupy.bincount")
def bincount(x: Any, weights: Any = None, minlength: Any = None) -> Any:
    """Number of occurrences."""
    values = x._a
    if values.ndim > 1:
        raise ValueError("object too deep for desired array")
    if values.ndim < 1:
        raise ValueError("object of too small depth for desired array")
    if values.dtype.kind == "f":
        raise TypeError("x must be int array")
    counters.sync()
    if values.size and values.min() < 0:
        raise ValueError("The first argument of bincount must be non-negative")
    counters.sync()
    KERNELS["cupy_bincount"] += 4
    heavy = None if weights is None else weights._a
    return wrap(np.bincount(values, heavy, minlength or 0))


def _membership(flat: bool) -> Any:
    def isin(
        element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False
    ) -> Any:
        left = element.ravel()._a if flat else element._a
        KERNELS["cupy_isin"] += 2
        return wrap(np.isin(left, test_elements.ravel()._a, invert=invert))

    return isin


implements("cupy.isin")(_membership(False))


implements("cupy.in1d")(_membership(True))
