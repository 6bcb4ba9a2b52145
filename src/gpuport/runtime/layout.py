"""Moving arrays whose elements are not side by side.

A contiguous copy of such an array would hold the same values, but ``ravel`` and ``reshape`` would
then give views of it where NumPy gives copies, and writes would reach what they should not. So the
copy keeps what they look at: the order and the signs of the strides, and which axes can merge.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def upload(cupy: Any, array: Any) -> Any:
    """A CuPy copy of a NumPy array that reshapes and ravels as the array itself does."""
    if array.flags.c_contiguous or array.flags.f_contiguous or not array.size:
        return cupy.asarray(array)
    if 1 in array.shape:  # NumPy does not look at the strides of axes of one element
        moved = upload(cupy, array.squeeze())
        return moved[tuple(None if length == 1 else slice(None) for length in array.shape)]
    axes = sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis]))
    shape, window = _padded(array, axes)
    restore = np.argsort(axes)
    staged = np.zeros(shape, array.dtype)
    first_of_repeats = tuple(slice(None, 1 if stride == 0 else None) for stride in array.strides)
    staged[window].transpose(restore)[...] = array[first_of_repeats]
    moved = cupy.asarray(staged)[window].transpose(tuple(int(axis) for axis in restore))
    return cupy.broadcast_to(moved, array.shape) if 0 in array.strides else moved


def upload_together(cupy: Any, arrays: list[Any]) -> list[Any]:
    """CuPy copies of some NumPy arrays of one shape, dtype and layout, in one transfer.

    Each reshapes and ravels as its array does; see :func:`upload`.
    """
    first = arrays[0]
    if first.flags.c_contiguous:
        return list(cupy.asarray(np.stack(arrays)))
    if first.flags.f_contiguous:
        return [one.T for one in cupy.asarray(np.stack([array.T for array in arrays]))]
    axes = sorted(range(first.ndim), key=lambda axis: -abs(first.strides[axis]))
    shape, window = _padded(first, axes)
    restore = np.argsort(axes)
    staged = np.zeros((len(arrays), *shape), first.dtype)
    for place, array in zip(staged, arrays, strict=True):
        place[window].transpose(restore)[...] = array
    order = tuple(int(axis) for axis in restore)
    return [one[window].transpose(order) for one in cupy.asarray(staged)]


def layout_of(array: Any) -> Any:
    """What arrays have in common that are moved together; None for those moved alone."""
    contiguous = array.flags.c_contiguous or array.flags.f_contiguous
    if (
        not array.size
        or not array.ndim
        or (not contiguous and (1 in array.shape or 0 in array.strides))
    ):
        return None
    return array.shape, array.dtype, array.strides


def _padded(array: Any, axes: list[int]) -> tuple[list[int], tuple[slice, ...]]:
    """A contiguous block, and the slices of it that lie as ``array`` does, axes outermost first.

    Two neighbouring axes merge where the outer stride is the inner extent; one element of padding
    keeps them apart where it is not.
    """
    shape: list[int] = []
    window: list[slice] = []
    outer_stride: int | None = None
    for axis in axes:
        length, stride = array.shape[axis], array.strides[axis]
        if stride == 0:
            length = 1
        innermost = axis == axes[-1]
        step = 2 if innermost and abs(stride) != array.itemsize and length > 1 else 1
        merges = outer_stride is None or outer_stride == length * abs(stride)
        shape.append(length * step + (0 if merges else 1))
        if stride < 0:
            window.append(slice((length - 1) * step, None, -step))
        else:
            window.append(slice(0, length * step, step))
        outer_stride = abs(stride)
    return shape, tuple(window)
