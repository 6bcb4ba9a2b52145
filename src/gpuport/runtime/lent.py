"""Copies on the device whose changes nobody gives back, so that none may be made by a kernel."""

from __future__ import annotations

import threading
from typing import Any

from gpuport.runtime.overlaps import extent_of


class Lent(threading.local):
    """The copies of the calls around the code that asks: first byte, last, function, argument."""

    copies: tuple[tuple[int, int, str, str], ...] = ()


lent = Lent()


def copies_of(function: str, pairs: dict[str, list[Any]]) -> tuple[tuple[int, int, str, str], ...]:
    """Where copies lie, by the names of the arguments that they are of."""
    found = []
    for name, arrays in pairs.items():
        for array in arrays:
            if array.size:
                low, high = extent_of(array)
                found.append((array.data.ptr + low, array.data.ptr + high, function, name))
    return tuple(found)


def refuse_unnamed_writes(kernel: str, written: tuple[Any, ...]) -> None:
    """Raise where a kernel would write to a copy that is thrown away.

    Raises
    ------
    TypeError
    """
    for array in written:
        low, high = extent_of(array)
        first, last = array.data.ptr + low, array.data.ptr + high
        for begin, end, function, name in lent.copies:
            if array.size and first < end and begin < last:
                raise TypeError(
                    f"{kernel} writes to {name!r}, an argument of {function}, whose writes= does "
                    f"not name it: the caller's array would not change. Write writes={name!r} "
                    f"above {function}, or give the kernel an array of its own."
                )
