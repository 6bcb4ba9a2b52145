"""Parts of an array's memory seen in a copy of it in another place."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.runtime.kinds import Kind, kind_of
from gpuport.runtime.overlaps import extent_of


def view_of_original(value: Any, moved: Any, original: Any) -> Any:
    """The view of ``original`` that ``value`` is of ``moved``, or None where it is none.

    NumPy functions that return a slice of an argument return a view of it; what the caller writes
    into that view has to reach the argument. Each element of ``value`` is looked up in ``moved``
    by its address, and its address in ``original`` has to be affine in the index again.
    """
    if kind_of(original) is not Kind.HOST_ARRAY or not value.size or not moved.size:
        return None
    if value.dtype != moved.dtype:
        return None
    start = value.data.ptr - moved.data.ptr
    low, high = extent_of(moved)
    value_low, value_high = extent_of(value)
    if start + value_low >= high or start + value_high <= low:
        return None
    if moved.strides == original.strides:
        return np.asarray(_Window(original, start, value.shape, value.strides))
    offsets = _offsets(value.shape, value.strides) + start
    order = np.argsort(_offsets(moved.shape, moved.strides), axis=None)
    sorted_offsets = _offsets(moved.shape, moved.strides).ravel()[order]
    at = np.minimum(np.searchsorted(sorted_offsets, offsets), len(order) - 1)
    if not np.array_equal(sorted_offsets[at], offsets):
        return None
    theirs = _offsets(original.shape, original.strides).ravel()[order][at]
    first = theirs.ravel()[0]
    strides = tuple(
        int(np.take(theirs, 1, axis).ravel()[0] - first) if length > 1 else original.itemsize
        for axis, length in enumerate(value.shape)
    )
    if not np.array_equal(_offsets(value.shape, strides) + first, theirs):
        return None
    return np.asarray(_Window(original, int(first), value.shape, strides))


def _offsets(shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    grids = np.ogrid[tuple(slice(0, length) for length in shape)] if shape else []
    total = np.zeros(shape, np.int64)
    for grid, stride in zip(grids, strides, strict=True):
        total = total + grid * stride
    return total


class _Window:
    """Memory of an array seen with another shape and strides; keeps the array alive."""

    def __init__(self, array: Any, start: int, shape: tuple[int, ...], strides: Any) -> None:
        self.array = array
        self.__array_interface__ = {
            "version": 3,
            "data": (array.ctypes.data + start, not array.flags.writeable),
            "typestr": array.dtype.str,
            "shape": shape,
            "strides": strides,
        }
