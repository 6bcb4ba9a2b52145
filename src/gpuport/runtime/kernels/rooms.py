"""Arrays that a kernel's text works in, and that nothing but it has."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

UNWRITTEN = 0x7FF8A5A5A5A5A5A5
"""The bits of the NaN that means that nothing was written (``written`` in ``provided.py``)."""

ROOMS = ("room", "unwritten")
"""What `work` of a kernel may say beside Python: new arrays of a shape; those of the second are
float64, and `written` of the text tells which of their elements nothing was written to."""


def rooms(dtype: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The two words for an array of a dtype."""
    cupy = sys.modules["cupy"]

    def room(*shape: int) -> Any:
        return cupy.empty(shape, dtype)

    def unwritten(*shape: int) -> Any:
        return cupy.full(shape, UNWRITTEN, "int64").view(dtype)

    return room, unwritten


def assignments(text: str) -> list[tuple[str, str]]:
    """The names and values of ``"a = x; b = y"``; a part of another form has no name."""
    found = []
    for part in filter(None, map(str.strip, text.split(";"))):
        name, _, value = part.partition(" = ")
        found.append((name, value.strip()) if value and name.isidentifier() else ("", part))
    return found


__all__ = ["ROOMS", "assignments", "rooms"]
