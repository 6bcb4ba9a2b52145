"""Edits on source text: what no edit names stays byte for byte.

An edit replaces the extent of a node by *parts*: new text and extents of the original. An
extent inside the parts is rendered with the edits that lie inside it, so edits nest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Extent = tuple[int, int]


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


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Text with all edits made.

    Raises
    ------
    EditConflict
        If two edits overlap without nesting.
    """
    # Outermost first: earlier start, then later end, then higher order. Insertions at the
    # start of a wider edit come before it.
    ordered = sorted(edits, key=lambda e: (e.start, e.end != e.start, -e.end, -e.order))
    return _render(text, 0, len(text), ordered)


def _render(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    out: list[str] = []
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
        out.append(text[position : edit.start])
        out.extend(_parts(text, edit, edits[index + 1 : following]))
        position = edit.end
        index = following
    out.append(text[position:end])
    return "".join(out)


def _inside(inner: Edit, outer: Edit) -> bool:
    return outer.start != outer.end and inner.start < outer.end


def _parts(text: str, edit: Edit, inner: Sequence[Edit]) -> Iterable[str]:
    for part in edit.parts:
        if isinstance(part, str):
            yield part
            continue
        start, end = part
        within = [e for e in inner if start <= e.start and e.end <= end]
        yield _render(text, start, end, within)
