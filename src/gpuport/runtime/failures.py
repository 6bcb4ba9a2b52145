"""Which item of a stack has no result, where a solver says that one has none.

CuPy raises one error for a whole stack. What its solvers say of each matrix is in the frame that
raised: zero for those that have a result. Where that is not found, nothing is said.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Any

_REPORTS = ("dev_info", "info_array")
"""What CuPy's functions call the array of a solver's reports, one for each matrix."""


class _Memory(threading.local):
    """Which items of their lists make the stack at hand, and which item was found to have none."""

    places: Sequence[int] | None = None
    count: int = 0
    found: str = ""


_memory = _Memory()


def hand_out(places: Sequence[int] | None, count: int) -> None:
    """A stack of the items at these places of a list is about to be worked on."""
    _memory.places, _memory.count = places, count


def forget() -> None:
    """Nothing of earlier calls has to do with what follows."""
    _memory.places, _memory.count, _memory.found = None, 0, ""


def refused() -> bool:
    """Remember, while an error is handled, which item of a stack has no result.

    Returns
    -------
    bool
        False: the loop over the items runs instead of what their stack could not do. The error
        that it raises gets the note.
    """
    error = sys.exc_info()[1]
    _memory.found = "" if error is None else _note_of(error.__traceback__)
    return False


def named(error: BaseException) -> None:
    """Give an error the note that names the item, where it has none and the item is known."""
    if getattr(error, "__notes__", None):
        return
    note = _note_of(error.__traceback__) or _memory.found
    if note:
        error.add_note(note)


def _note_of(traceback: TracebackType | None) -> str:
    reports = None
    while traceback is not None:
        held = traceback.tb_frame.f_locals
        one = next((held[name] for name in _REPORTS if name in held), None)
        reports = reports if one is None else one
        traceback = traceback.tb_next
    if getattr(reports, "ndim", 0) != 1:
        return ""
    place = _first(reports)
    if place is None:
        return ""
    size, places = len(reports), _memory.places  # type: ignore[arg-type]
    if places is None or len(places) != size:
        return f"for item {place} of {size}" if size > 1 else ""
    return f"for item {places[place]} of {_memory.count}"


def _first(reports: Any) -> int | None:
    """The place of the first report that is not zero."""
    values = reports.get() if hasattr(reports, "get") else reports
    return next((place for place, value in enumerate(values.tolist()) if value), None)
