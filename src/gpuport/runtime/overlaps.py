"""Whether arrays, or elements of one, share memory."""

from __future__ import annotations

from typing import Any, cast

import numpy as np


def overlap_on_device(first: Any, second: Any) -> bool:
    (low, high), (other_low, other_high) = extent_of(first), extent_of(second)
    distance = second.data.ptr - first.data.ptr
    return bool(low < other_high + distance and other_low + distance < high)


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
