"""The transfer plan: a table for people, and its part of the JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from gpuport.records import Crossing, FileReport, RunReport, Transfers
from gpuport.report.folding import entry, places

_UNITS = ("B", "kB", "MB", "GB", "TB")
_WORDS = {"h2d": "to the device", "d2h": "to the host", "sync": "the host waits"}
"""The directions in words for people."""
_WIDEST = 44
_MOST_ROWS = 4
_MOST_NAMES = 6


def table(report: RunReport) -> Iterator[str]:
    """Lines of the plan of a run; none where nothing crosses."""
    rows = [
        _row(file, crossing)
        for file in report.files if file.transfers is not None
        for crossing in file.transfers.crossings
    ]  # fmt: skip
    if not rows:
        return
    yield "Transfers:"
    widths = [min(max(len(row[k]) for row in rows), _WIDEST) for k in range(4)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  " + "  ".join([*cells, row[4]]).rstrip()


def repeated(report: RunReport, width: int) -> Iterator[str]:
    """What crosses again and again: in loops, and at each call of a boundary."""
    crossings = [
        (file.path, crossing)
        for file in report.files if file.transfers is not None
        for crossing in file.transfers.crossings
    ]  # fmt: skip
    called = list(dict.fromkeys(c.function for _, c in crossings if c.boundary))
    lines = _in_loops(crossings, single=len(report.files) == 1)
    beyond = len(lines) - _MOST_ROWS
    if lines or called:
        yield "Transfers in loops and at each call:\n"
    for where, text in lines[:_MOST_ROWS]:
        yield entry(f"  {where}: ", text, width)
    if beyond > 0:
        yield f"  {beyond} more in loops (--verbose)\n"
    if called:
        more = len(called) - _MOST_NAMES
        said = ", ".join(called[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        yield entry(
            f"  each call of {said}: ", "the NumPy arrays that it is given, there and back", width
        )


def _in_loops(crossings: Iterable[tuple[str, Crossing]], *, single: bool) -> list[tuple[str, str]]:
    """Those in loops, of one line together; the ones that come most often first."""
    groups: dict[tuple[str, int, str, str], list[Crossing]] = {}
    for path, one in crossings:
        if (one.depth or one.repeats) and not one.boundary:
            often = f"{one.often} times" if one.depth else f"each call of {one.function} in a loop"
            groups.setdefault((path, one.span.line, one.direction, often), []).append(one)
    order = sorted(groups.items(), key=lambda group: -group[1][0].depth)
    return [
        (
            places([(path, line)], single=single),
            _said(way, ", ".join(f"`{one.what}`" for one in found)) + f", {often}",
        )
        for (path, line, way, often), found in order
    ]


def _said(direction: str, what: str) -> str:
    word = _WORDS[direction]
    return f"{word} for {what}" if direction == "sync" else f"{what} {word}"


def _row(file: FileReport, crossing: Crossing) -> tuple[str, str, str, str, str]:
    often = crossing.often if not crossing.boundary else "each call from the host"
    size = crossing.size or ""
    if crossing.bytes is not None:
        size = f"{size} {_bytes(crossing.bytes)}"
    place = f"{file.path}:{crossing.span.line}"
    what = crossing.what if len(crossing.what) <= _WIDEST else crossing.what[: _WIDEST - 3] + "..."
    return place, _WORDS[crossing.direction], what, often, size


def planned_counts(transfers: Transfers) -> tuple[tuple[str, int], ...]:
    """How often, as text, and how many arrays cross that often; waits move no array."""
    counts: Counter[str] = Counter()
    for crossing in transfers.crossings:
        if crossing.direction != "sync":
            counts[crossing.often] += 1
    return tuple(sorted(counts.items()))


def _bytes(count: int) -> str:
    size = float(count)
    for unit in _UNITS:
        if size < 1000 or unit == _UNITS[-1]:
            return f"{size:.3g} {unit}"
        size /= 1000
    raise AssertionError


def document(transfers: Transfers | None) -> dict[str, Any] | None:
    """The plan of a file as plain dictionaries and lists."""
    if transfers is None:
        return None
    return {
        "crossings": [_entry(crossing) for crossing in transfers.crossings],
        "planned": _counts(planned_counts(transfers)),
        "call_by_call": _counts(transfers.call_by_call),
    }


def _counts(counts: Iterable[tuple[str, int]]) -> list[dict[str, Any]]:
    return [{"often": often, "arrays": count} for often, count in counts]


def _entry(crossing: Crossing) -> dict[str, Any]:
    span = crossing.span
    return {
        "direction": crossing.direction,
        "what": crossing.what,
        "line": span.line,
        "column": span.column,
        "function": crossing.function,
        "boundary": crossing.boundary,
        "loop_depth": crossing.depth,
        "often": crossing.often,
        "count": crossing.count,
        "size": crossing.size,
        "bytes": crossing.bytes,
    }
