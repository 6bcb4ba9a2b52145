"""Memory that nobody has written: anything on a GPU, and here what is seen to be no data."""

from __future__ import annotations

from typing import Any

import numpy as np

PATTERN = 0xCB
"""The byte: as float64 -5.7e57, as float32 -2.7e7, as int32 -875836469."""
_EDGE = 4096


def mark(array: Any) -> None:
    """Fill a new NumPy array with the pattern; of a large one only the first and last bytes.

    Truth values are left alone: other bytes than 0 and 1 are none of them.
    """
    if array.dtype.kind == "b" or not array.size:
        return
    held = array  # new memory has no gaps, in whichever order its axes lie
    if not array.flags.c_contiguous:
        held = array.transpose(sorted(range(array.ndim), key=lambda axis: -array.strides[axis]))
    raw = np.ndarray((array.nbytes,), np.uint8, held)
    if array.nbytes <= 2 * _EDGE:
        raw.fill(PATTERN)
    else:
        raw[:_EDGE] = raw[-_EDGE:] = PATTERN


def words(memory: Any) -> Any:
    """Which words of 4 bytes of `memory`, an array of bytes, nobody seems to have written."""
    whole = memory[: memory.size // 4 * 4].view(np.uint32)
    found = whole == np.uint32(PATTERN * 0x01010101)
    return found if found.any() else None
