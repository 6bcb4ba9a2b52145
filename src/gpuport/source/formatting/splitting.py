"""A statement on as many lines as Black and Ruff would give it.

The rules are those of Black's ``linegen.py`` and ``lines.py``: a line that is too long is split at
its last brackets, what is inside of brackets at its loosest delimiters, and the expression of an
assignment, a condition or a ``return`` gets parentheses where that reads better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpuport.source.formatting.tokens import COMMA, DOT, Leaf, Unsure, delimiters, leaves_of


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Tokens on one line, or to be split; ``inside``: between brackets that were split."""

    leaves: Sequence[Leaf]
    depth: int
    inside: bool = False
    must_split: bool = False

    def __str__(self) -> str:
        parts: list[str] = []
        for leaf in self.leaves:
            if leaf.invisible:
                if parts and leaf.space:
                    parts.append(" ")
                continue
            space = leaf.space and parts and parts[-1] != " "
            parts += [" ", leaf.text] if space else [leaf.text]
        return "".join(parts)

    def fits(self, width: int, step: int) -> bool:
        return self.depth * step + len(str(self)) <= width


@dataclass(frozen=True, slots=True)
class Layout:
    """How wide lines may be, and how wide a step of their indentation is."""

    width: int = 88
    step: int = 4

    def lay_out(self, statement: str, depth: int) -> list[tuple[int, str]]:
        """Lines of a statement (or the head of one) with their depths.

        Raises
        ------
        Unsure
        """
        leaves = leaves_of(statement)
        try:
            lines = list(self._split(Line(leaves, depth)))
        except RecursionError:
            raise Unsure("nested too deeply") from None
        return [(line.depth, str(line)) for line in lines]

    # ------------------------------------------------------------------ Black's transform_line

    def _split(self, line: Line, forced: bool = False) -> Iterator[Line]:
        magic = line.must_split or _has_magic_comma(line.leaves)
        if not magic and line.fits(self.width, self.step):
            yield line
            return
        for transform in ("delimiters", "brackets") if line.inside else ("brackets",):
            try:
                yield from self._transformed(line, transform, forced=forced)
            except _CannotSplitError:
                continue
            return
        yield line

    def _transformed(self, line: Line, transform: str, *, forced: bool) -> list[Line]:
        if transform == "delimiters":
            parts = self._at_delimiters(line)
        else:
            parts = self._at_brackets(line, forced=forced)
        if any(str(part) == str(line) for part in parts):
            raise _CannotSplitError
        result = [one for part in parts for one in self._split(part)]
        invisible = [leaf for leaf in line.leaves if leaf.invisible]
        if transform == "delimiters" or not invisible or forced or self._fits(result[0]):
            return result
        other = list(self._split(line, forced=True))
        return other if all(map(self._fits, other)) else result

    def _fits(self, line: Line) -> bool:
        return line.fits(self.width, self.step)

    # ------------------------------------------------------------------ delimiter_split

    def _at_delimiters(self, line: Line) -> list[Line]:
        places = delimiters(line.leaves)
        last = len(line.leaves) - 1
        inner = [priority for k, priority in places.items() if k != last]
        if not inner:
            raise _CannotSplitError
        loosest = max(inner)
        cuts = [k for k, priority in places.items() if priority == loosest]
        if loosest == DOT and len(cuts) == 1:
            raise _CannotSplitError
        parts: list[list[Leaf]] = [[]]
        for k, leaf in enumerate(line.leaves):
            if k in cuts and loosest != COMMA and parts[-1]:
                parts.append([])
            parts[-1].append(leaf)
            if k in cuts and loosest == COMMA:
                parts.append([])
        parts = [part for part in parts if part]
        if loosest == COMMA and parts[-1][-1].text != ",":
            parts[-1].append(Leaf(",", False))
        return [Line(part, line.depth, inside=True) for part in parts]

    # ------------------------------------------------------------------ right_hand_split

    def _at_brackets(self, line: Line, *, forced: bool) -> list[Line]:
        for omitted in _omissions(line, self.width, self.step):
            lines = self._right_hand(line, omitted, forced=forced)
            if lines[0].fits(self.width, self.step):
                return lines
        return self._right_hand(line, frozenset(), forced=forced)

    def _right_hand(self, line: Line, omitted: frozenset[int], *, forced: bool) -> list[Line]:
        head, body, tail = _parts(line.leaves, omitted)
        opening, closing = head[-1], tail[0]
        inner = Line(body, line.depth + 1, inside=True)
        if (
            opening.invisible
            and not forced
            and head[0].text != "from"
            and self._can_omit(inner, returned=head[0].text == "return")
        ):
            try:
                without = self._right_hand(line, omitted | {id(closing)}, forced=forced)
            except _CannotSplitError:
                if not (_can_be_split(body) or inner.fits(self.width, self.step)):
                    raise
            else:
                if self._prefers(without[0], head, line.depth):
                    return without
        if not body:
            raise _CannotSplitError
        if opening.invisible:
            shown = _shown(opening, closing)
            head, tail = [*head[:-1], shown[0]], [shown[1], *tail[1:]]
        magic = _explodes(opening, body)
        if head[0].text == "from" and body[-1].text != ",":
            inner, magic = replace(inner, leaves=[*body, Leaf(",", False)]), True
        made = (
            Line(head, line.depth, line.inside), replace(inner, must_split=magic),
            Line(tail, line.depth, line.inside),
        )  # fmt: skip
        return [one for one in made if one.leaves]

    def _prefers(self, first: Line, head: Sequence[Leaf], depth: int) -> bool:
        """Whether splitting inside the expression is preferred to parentheses around it."""
        assigns = len(head) > 1 and head[-2].text == "="
        if not assigns or not any(leaf.partner is not None for leaf in head[:-1]):
            return True
        if not Line(head, depth).fits(self.width - 1, self.step):
            return True
        after = first.leaves[len(head) - 1 :]
        if any(leaf.closes for leaf in after):
            return True
        return any(leaf.text == "=" for leaf in first.leaves) and first.fits(self.width, self.step)

    def _can_omit(self, line: Line, *, returned: bool) -> bool:
        """Whether an expression does without parentheses of its own."""
        places = delimiters(line.leaves)
        if not places:
            return True
        loosest = max(places.values())
        if sum(priority == loosest for priority in places.values()) > 1:
            return False
        if loosest == COMMA:
            return returned
        if loosest == DOT:
            return True
        first, last = line.leaves[0], line.leaves[-1]
        if first.opens and self._can_omit_opening(line):
            return True
        is_subscript = last.text == "]" and last.partner is not None and last.partner.trailer
        if not last.closes or is_subscript or line.leaves[-2].opens:
            return False
        return self._can_omit_closing(line)

    def _can_omit_opening(self, line: Line) -> bool:
        length, remainder = self.step * line.depth, False
        for leaf in line.leaves:
            remainder = remainder or leaf is line.leaves[0].partner
            if remainder:
                length += len(leaf.text) + leaf.space
                if length > self.width:
                    return False
                if leaf.opens:
                    remainder = False
        return True

    def _can_omit_closing(self, line: Line) -> bool:
        length, seen = self.step * line.depth, False
        for leaf in line.leaves:
            length += len(leaf.text) + leaf.space
            if leaf is line.leaves[-1].partner:
                return seen or length <= self.width
            seen = seen or leaf.opens
        return False


class _CannotSplitError(Exception):
    pass


def _shown(opening: Leaf, closing: Leaf) -> tuple[Leaf, Leaf]:
    """Parentheses that are to be seen."""
    first, last = Leaf("(", opening.space), Leaf(")", False)
    first.partner, last.partner = last, first
    return first, last


def _has_magic_comma(leaves: Sequence[Leaf]) -> bool:
    """Whether somebody asked for a line for each item, by a comma after the last one."""
    return any(
        leaf.opens
        and leaf.partner in leaves
        and _ends_in_comma(leaf, leaves[k + 1 : leaves.index(leaf.partner)])
        for k, leaf in enumerate(leaves)
    )


def _explodes(opening: Leaf, body: Sequence[Leaf]) -> bool:
    """Whether what is inside of split brackets is split as well: items of a display are."""
    commas = COMMA in delimiters(body).values()
    return _ends_in_comma(opening, body) or (not opening.trailer and commas)


def _ends_in_comma(opening: Leaf, body: Sequence[Leaf]) -> bool:
    """Whether the last item has a comma that is not that of a tuple of one, or of a subscript."""
    if not body or body[-1].text != ",":
        return False
    commas = sum(priority == COMMA for priority in delimiters(body).values())
    return (
        commas > 1
        or (opening.text == "(" and opening.trailer)
        or (opening.text != "(" and not opening.trailer)
    )


def _parts(
    leaves: Sequence[Leaf], omitted: frozenset[int]
) -> tuple[list[Leaf], list[Leaf], list[Leaf]]:
    """What is before, inside and after the last brackets."""
    for k in range(len(leaves) - 1, -1, -1):
        leaf = leaves[k]
        if leaf.closes and id(leaf) not in omitted and leaf.partner in leaves:
            first = leaves.index(leaf.partner)
            if first + 1 == k:
                continue
            return [*leaves[: first + 1]], [*leaves[first + 1 : k]], [*leaves[k:]]
    raise _CannotSplitError


def _can_be_split(body: Sequence[Leaf]) -> bool:
    """Whether an expression has a trailer that can be split: a call or subscript at its end."""
    return (
        len(body) > 2 and body[-1].closes and not body[-2].opens and body[0] is not body[-1].partner
    )


def _omissions(line: Line, width: int, step: int) -> Iterator[frozenset[int]]:
    """Trailers at the end that are not split: none, the last one, the last two, ..."""
    omitted: set[int] = set()
    if not _has_magic_comma(line.leaves):
        yield frozenset()
    length = step * line.depth
    opening: Leaf | None = None
    closing: Leaf | None = None
    inner: set[int] = set()
    for k in range(len(line.leaves) - 1, -1, -1):
        leaf = line.leaves[k]
        length += (0 if leaf.invisible else len(leaf.text)) + leaf.space
        if length > width:
            break
        if opening is not None:
            if leaf is opening:
                opening = None
            elif leaf.closes:
                inner.add(id(leaf))
        elif leaf.closes:
            before = line.leaves[k - 1] if k else None
            if before is not None and before.opens:
                inner.add(id(leaf))
                continue
            if closing is not None:
                omitted.add(id(closing))
                omitted |= inner
                inner.clear()
                yield frozenset(omitted)
            if before is not None and before.text == ",":
                break
            if not leaf.invisible:
                opening, closing = leaf.partner, leaf
