"""Windows over arrays, trimmed ends, and functions applied along axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from gpuport.host import counters
from gpuport.host.counters import KERNELS
from gpuport.host.creation import array
from gpuport.host.functions.arguments import typed
from gpuport.host.ndarray import FUNCTIONS, ndarray, wrap
from gpuport.host.registry import implements


@implements("cupy.lib.stride_tricks.sliding_window_view")
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """Overlapping windows, as a view."""
    if writeable:
        raise NotImplementedError("Writeable views are not supported.")
    source: ndarray = array(x, copy=None, subok=subok)
    return wrap(np.lib.stride_tricks.sliding_window_view(source._a, window_shape, axis), source)


@implements("cupy.trim_zeros")
def trim_zeros(filt: Any, trim: str = "fb") -> Any:
    """View without leading and trailing zeros; each end is read back."""
    values = typed(filt, "filt")
    if values.ndim == 0:
        return filt
    if values.ndim > 1:
        raise NotImplementedError("Multi-dimensional trim is not supported")
    for side in "FB":
        if side in trim.upper():
            KERNELS["cupy_trim_zeros"] += 1
            counters.d2h(8)
    found = np.flatnonzero(values)
    start = (found[0] if found.size else values.size) if "F" in trim.upper() else 0
    end = (found[-1] + 1 if found.size else 0) if "B" in trim.upper() else values.size
    return wrap(values[start:end], filt)


@implements("cupy.apply_along_axis")
def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """Apply a function of arrays of one axis to each such piece along an axis."""
    place = normalize_axis_index(axis, arr.ndim)
    pieces = FUNCTIONS["moveaxis"](arr, place, -1)
    around = pieces.shape[:-1]
    if 0 in around:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    found = [func1d(pieces[index], *args, **kwargs) for index in np.ndindex(around)]
    rows = [FUNCTIONS["asarray"](row) for row in found]
    KERNELS["cupy_copy"] += len(rows)
    joined = np.array([row._a for row in rows]).reshape(around + rows[0].shape)
    ends = range(len(around), joined.ndim)
    return wrap(np.moveaxis(joined, ends, range(place, place + len(ends))))


@implements("cupy.apply_over_axes")
def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """Apply a function along each of several axes, one after the other."""
    value = FUNCTIONS["asarray"](a)
    for axis in (axes,) if np.ndim(axes) == 0 else axes:
        place = normalize_axis_index(axis, a.ndim)
        found = func(value, place)
        if found.ndim != value.ndim:
            found = FUNCTIONS["expand_dims"](found, place)
        if found.ndim != value.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        value = found
    return value
