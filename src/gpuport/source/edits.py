"""Edits on source text: what no edit names stays byte for byte.

An edit replaces the extent of a node by *parts*: new text and extents of the original. An
extent inside the parts is rendered with the edits that lie inside it, so edits nest.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from keyword import iskeyword

Extent = tuple[int, int]

_WORD = re.compile(r"\w+$")


class EditConflict(ValueError):
    """Two edits overlap without one lying inside the other."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace ``text[start:end]`` by ``parts``.

    Attributes
    ----------
    start, end : int
        Character offsets, end exclusive; ``start == end`` inserts.
    parts : tuple of str or Extent
        New text, and extents of the original within ``[start, end)``, each rendered in turn.
    order : int
        Where edits share their extent: the higher one is the outer one.
    """

    start: int
    end: int
    parts: tuple[str | Extent, ...]
    order: int = 0


@dataclass(frozen=True)
class Edited:
    """A text with edits made, and where each of its characters comes from.

    Attributes
    ----------
    pieces : tuple of (str, int)
        The text in pieces, each with the offset in the original of its first character; for
        new text, of what it stands before.
    copied : tuple of bool
        Whether a piece is a copy of the original: its later characters then follow on there.
    """

    pieces: tuple[tuple[str, int], ...]
    copied: tuple[bool, ...]

    @cached_property
    def text(self) -> str:
        """The text itself."""
        return "".join(piece for piece, _ in self.pieces)

    @cached_property
    def _starts(self) -> list[int]:
        starts, position = [], 0
        for piece, _ in self.pieces:
            starts.append(position)
            position += len(piece)
        return starts

    def origin(self, offset: int) -> int:
        """Offset in the original of what stands at an offset of the edited text."""
        index = max(bisect_right(self._starts, offset) - 1, 0)
        start = self.pieces[index][1]
        return start + offset - self._starts[index] if self.copied[index] else start

    def after(self, earlier: Edited) -> Edited:
        """The same text as an edit of what `earlier` was made from."""
        pieces, copied = [], []
        for (piece, start), is_copy in zip(self.pieces, self.copied, strict=True):
            for part, origin, kept in earlier.cut(start, len(piece)) if is_copy else ():
                pieces.append((part, origin))
                copied.append(kept)
            if not is_copy:
                pieces.append((piece, earlier.origin(start)))
                copied.append(False)
        return Edited(tuple(pieces), tuple(copied))

    def cut(self, start: int, length: int) -> Iterator[tuple[str, int, bool]]:
        """The pieces of a stretch of the text: each with its origin, and whether it is a copy."""
        end = start + length
        for at, (piece, _), is_copy in zip(self._starts, self.pieces, self.copied, strict=True):
            first, last = max(start, at), min(end, at + len(piece))
            if first < last:
                yield piece[first - at : last - at], self.origin(first), is_copy


def edited(text: str, edits: Iterable[Edit]) -> Edited:
    """Text with all edits made, and the way back to the original.

    Raises
    ------
    EditConflict
        If two edits overlap without nesting.
    """
    # Outermost first: earlier start, then later end, then higher order. Insertions at the
    # start of a wider edit come before it.
    ordered = sorted(edits, key=lambda e: (e.start, e.end != e.start, -e.end, -e.order))
    pieces = [p for p in _render(text, 0, len(text), ordered) if p[0]]
    return Edited(tuple((p, at) for p, at, _ in pieces), tuple(copied for _, _, copied in pieces))


_Piece = tuple[str, int, bool]


def _render(text: str, start: int, end: int, edits: Sequence[Edit]) -> Iterator[_Piece]:
    position = start
    index = 0
    while index < len(edits):
        edit = edits[index]
        if edit.start < position or edit.end > end:
            raise EditConflict(f"edits overlap at offset {edit.start}")
        following = index + 1
        while following < len(edits) and _inside(edits[following], edit):
            if edits[following].end > edit.end:
                raise EditConflict(f"edits overlap at offset {edits[following].start}")
            following += 1
        yield text[position : edit.start], position, True
        yield from _parts(text, edit, edits[index + 1 : following])
        position = edit.end
        index = following
    yield text[position:end], position, True


def _inside(inner: Edit, outer: Edit) -> bool:
    return outer.start != outer.end and inner.start < outer.end


def _parts(text: str, edit: Edit, inner: Sequence[Edit]) -> Iterator[_Piece]:
    starts = {part[0] for part in edit.parts if not isinstance(part, str)}
    for part in edit.parts:
        if isinstance(part, str):
            yield part, edit.start, False
            continue
        start, end = part
        # An insertion where one part ends and another begins is made once: before the latter.
        last = end - 1 if end in starts and end > start else end
        within = [e for e in inner if start <= e.start and (e.end <= end and e.start <= last)]
        yield from _render(text, start, end, within)


def without_repeated_lines(edits: Sequence[Edit]) -> list[Edit]:
    """Edits of which none puts in a line that another one puts in at the same place."""
    found: dict[Edit | int, Edit] = {}
    for place, edit in enumerate(edits):
        line = edit.start == edit.end and str(edit.parts[-1]).endswith("\n")
        found.setdefault(edit if line else place, edit)
    return list(found.values())


def parenthesised(text: str, start: int, end: int) -> Extent:
    """An expression with the parentheses around it, those of calls apart."""
    before, after = text[:start].rstrip(), text[end:].lstrip()
    if not before.endswith("(") or not after.startswith(")"):
        return start, end
    owner = before[:-1].rstrip()
    word = _WORD.search(owner)
    spaced = len(owner) < len(before) - 1
    keyword = word is not None and spaced and iskeyword(word[0])
    if owner.endswith((")", "]")) or (word is not None and not keyword):
        return start, end
    return len(before) - 1, len(text) - len(after) + 1
