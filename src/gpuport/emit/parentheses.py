"""Parentheses that the user's operator needed and the call in its place does not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpuport.source.edits import Edit, parenthesised

_CALL = re.compile(r"[\w.]+\($")


def without_parentheses(text: str, edits: Sequence[Edit]) -> Iterator[Edit]:
    """The edits, those that make calls with the parentheses around what they replace.

    ``(x // width).astype(int)`` becomes ``floor_divide(x, width).astype(int)``.
    """
    ends = Counter(end for edit in edits for end in _ends(edit))
    for edit in edits:
        start, end = parenthesised(text, edit.start, edit.end)
        # Another edit may move what stands between these parentheses, or what they stand in.
        alone = ends[edit.start] == ends[edit.end] == 1
        free = not any(edit.start > at >= start or edit.end < at <= end for at in ends)
        if start < edit.start and alone and free and _is_call(edit):
            yield replace(edit, start=start, end=end)
        else:
            yield edit


def _ends(edit: Edit) -> set[int]:
    """Offsets between which an edit moves text."""
    return {edit.start, edit.end}.union(*(p for p in edit.parts if not isinstance(p, str)))


def _is_call(edit: Edit) -> bool:
    first, last = edit.parts[:1], edit.parts[-1:]
    return last == (")",) and isinstance(first[0], str) and _CALL.match(first[0]) is not None


__all__ = ["without_parentheses"]
