"""Whether arrays, or elements of one, share memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import numpy as np

from gpuport.runtime.fallback import loaded_cupy
from gpuport.runtime.kernels.layouts import span_of


def overlap_on_device(first: Any, second: Any) -> bool:
    """Whether two CuPy arrays may share an element's memory, by the bounds of it."""
    low, high, _ = span_of(first.shape, first.strides, first.itemsize)
    other_low, other_high, _ = span_of(second.shape, second.strides, second.itemsize)
    distance = second.data.ptr - first.data.ptr
    return bool(low < other_high + distance and other_low + distance < high)


def meet_on_device(written: Any, others: Iterable[Any]) -> bool:
    """Whether a CuPy array may share memory with another one, but for one that is the same."""
    return any(
        other is not written and overlap_on_device(written, other) and not _same(written, other)
        for other in others
    )


def apart_on_device(written: tuple[Any, ...], arguments: tuple[Any, ...]) -> bool:
    """Whether no CuPy array that is written to meets another one; numbers are passed over."""
    cupy = loaded_cupy()
    if cupy is None:
        return True
    kind = cupy.ndarray
    arrays = [one for one in arguments if isinstance(one, kind)]
    return len(arrays) < 2 or not any(
        meet_on_device(one, arrays) for one in written if isinstance(one, kind)
    )


def _same(first: Any, second: Any) -> bool:
    return bool(
        first.data.ptr == second.data.ptr
        and first.shape == second.shape
        and first.strides == second.strides
        and first.dtype == second.dtype
    )


def extent_of(array: Any) -> tuple[int, int]:
    """Lowest and one past the highest byte of an array, counted from its first element."""
    steps = [
        (length - 1) * stride for length, stride in zip(array.shape, array.strides, strict=True)
    ]
    return sum(s for s in steps if s < 0), sum(s for s in steps if s > 0) + array.itemsize


def overlaps(first: Any, second: Any) -> bool:
    """Whether two NumPy arrays share an element's memory; True where that is hard to say."""
    if not np.may_share_memory(first, second):
        return False
    try:
        return bool(np.shares_memory(first, second, max_work=cast(Any, 1000)))
    except np.exceptions.TooHardError:
        return True


def overlaps_itself(array: Any) -> bool:
    """Whether two elements of a NumPy array may share memory, as in a broadcast or a window."""
    extent = array.itemsize
    for stride, length in sorted(
        (abs(stride), length)
        for stride, length in zip(array.strides, array.shape, strict=True)
        if length > 1
    ):
        if stride < extent:
            return bool(array.size)
        extent = stride * (length - 1) + extent
    return False
