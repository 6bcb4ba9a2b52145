"""Copies on the device whose changes nobody gives back, so that none may be made by a kernel."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from typing import Any

from gpuport.runtime.overlaps import extent_of


class Lent(threading.local):
    """The copies of the calls around the code that asks: first byte, last, function, argument."""

    copies: tuple[tuple[int, int, str, str], ...] = ()


lent = Lent()


def copies_of(
    function: str, arguments: Mapping[str, Any], moved: Iterable[tuple[int, Any]], written: set[int]
) -> tuple[tuple[int, int, str, str], ...]:
    """Where the copies lie of what a decorator does not say to be written to.

    Parameters
    ----------
    function : str
    arguments : mapping
        Of the call, as the body gets them.
    moved : iterable of (int, cupy.ndarray)
        The copies, with the identities of the caller's arrays.
    written : set of int
        Those of them that are given back.
    """
    found = []
    for number, array in moved:
        if number not in written and array.size:
            low, high = extent_of(array)
            name = _name_of(array, arguments)
            found.append((array.data.ptr + low, array.data.ptr + high, function, name))
    return tuple(found)


def _name_of(array: Any, arguments: Mapping[str, Any]) -> str:
    """The argument that is or holds an array."""
    for name, value in arguments.items():
        held = value.values() if isinstance(value, dict) else value
        if value is array or (
            isinstance(value, (list, tuple, dict)) and any(one is array for one in held)
        ):
            return name
    return "an argument"


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
