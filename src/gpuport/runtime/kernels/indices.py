"""The indices with which the text of a kernel reaches elements of raw arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Index:
    """``x[{i, j}]`` or ``x[i]``: the array, and where each entry stands in the text."""

    array: str
    places: tuple[tuple[int, int], ...]
    entries: tuple[str, ...]


def without_comments(body: str) -> str:
    """The text with blanks in the place of its comments, so that all else stands where it did."""
    blank = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
    return blank.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), body)


def indices_of(body: str, raw: set[str], function: str) -> list[Index]:
    """All indices of the raw arrays.

    Raises
    ------
    TypeError
        For ``x[i, j]``, of which C++ takes ``j`` alone, for a bracket that is not closed, and for
        an array that is given one index here and two there.
    """
    found = list(_found(body, raw, function))
    ranks: dict[str, int] = {}
    for one in found:
        if ranks.setdefault(one.array, len(one.entries)) != len(one.entries):
            raise TypeError(
                f"kernel: the text of {function} gives {one.array} {ranks[one.array]} "
                f"indices in one place and {len(one.entries)} in another"
            )
    return found


def _found(body: str, raw: set[str], function: str) -> Iterator[Index]:
    for match in re.finditer(r"(?<![\w.])(\w+)\s*\[", body):
        if match[1] not in raw:
            continue
        braces = re.compile(r"\s*\{").match(body, match.end())
        start = braces.end() if braces else match.end()
        places = _entries(body, start)
        if places is None:
            raise TypeError(f"kernel: {match[0]} in the text of {function} is not closed")
        if len(places) > 1 and not braces:
            shown = ", ".join(body[a:b].strip() for a, b in places)
            raise TypeError(
                f"kernel: {match[1]}[{shown}] in the text of {function} needs braces, "
                f"{match[1]}[{{{shown}}}]: without them C++ takes the last index alone"
            )
        yield Index(match[1], tuple(places), tuple(body[a:b].strip() for a, b in places))


def _entries(body: str, start: int) -> list[tuple[int, int]] | None:
    """The extents of the entries from `start` to the bracket that closes them."""
    depth, places, begin = 0, [], start
    for at in range(start, len(body)):
        char = body[at]
        depth += (char in "[({") - (char in "])}")
        if depth < 0 or (char == "," and not depth):
            places.append((begin, at))
            begin = at + 1
            if depth < 0:
                return places
    return None


def with_whole_indices(body: str, indices: list[Index]) -> str:
    """The text with all entries of one type, as CuPy's indexing asks for."""
    marks = []
    for one in indices:
        for start, end in one.places:
            marks += [(start, 0, "(long long)("), (end, 1, ")")]
    # ends before beginnings where both stand at one place, inner ones first
    for place, _, text in sorted(marks, key=lambda mark: (mark[0], mark[1]), reverse=True):
        body = body[:place] + text + body[place:]
    return body


def outside_indices(body: str, indices: list[Index]) -> str:
    """The text with blanks in the place of what stands in indices."""
    for one in indices:
        for start, end in one.places:
            body = body[:start] + " " * (end - start) + body[end:]
    return body
