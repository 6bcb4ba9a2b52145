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


def words(memory: Any, itemsize: int = 4) -> Any:
    """Which words of 4 bytes nobody seems to have written; None where there are none.

    Parameters
    ----------
    memory : numpy.ndarray
        Of bytes.
    itemsize : int
        Bytes of the smallest element in it. One of 8 bytes is written as a whole: half of one may
        be the pattern by chance.
    """
    wide = itemsize % 8 == 0 and memory.size % 8 == 0
    dtype, ones = (np.uint64, 0x0101010101010101) if wide else (np.uint32, 0x01010101)
    whole = memory[: memory.size // 4 * 4].view(dtype)
    found = whole == dtype(PATTERN * ones)
    return (np.repeat(found, 2) if wide else found) if found.any() else None
