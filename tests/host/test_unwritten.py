"""Memory that nobody has written is known by its bytes: no number that is half of them."""

from __future__ import annotations

import numpy as np
import pytest

from gpuport.host.unwritten import PATTERN, mark, words

HALF = np.array([0x3F624C2ACBCBCBCB, 0xCBCBCBCB3F624C2A], np.uint64)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i8", "c8", "c16"])
def test_new_memory_is_seen(dtype: str) -> None:
    array = np.ones(6, dtype)
    mark(array[3:])
    found = words(array.view(np.uint8), array.itemsize)
    assert found.tolist() == [*[False] * (found.size // 2), *[True] * (found.size // 2)]


def test_half_of_a_number_is_no_new_memory() -> None:
    assert words(HALF.view(np.uint8), 8) is None
    found = words(HALF.view(np.uint8), 4)  # they may be four numbers
    assert found.tolist() == [True, False, False, True]
    assert bytes([PATTERN]) == b"\xcb"
