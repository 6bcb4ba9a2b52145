"""The transfer plan: a table for people, and its part of the JSON document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from gpuport.records import Crossing, FileReport, RunReport, Transfers

_UNITS = ("B", "kB", "MB", "GB", "TB")
_WIDEST = 44
_MOST_TERMS = 6


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
    total = sum((f.transfers for f in report.files if f.transfers is not None), Transfers())
    planned = planned_counts(total)
    yield (
        f"  {_sum(planned)} crossings where each function runs once; "
        f"{_sum(total.call_by_call)} were each call to move its own."
    )


def _row(file: FileReport, crossing: Crossing) -> tuple[str, str, str, str, str]:
    often = crossing.often if not crossing.boundary else "each call from the host"
    size = crossing.size or ""
    if crossing.bytes is not None:
        size = f"{size} {_bytes(crossing.bytes)}"
    place = f"{file.path}:{crossing.span.line}"
    what = crossing.what if len(crossing.what) <= _WIDEST else crossing.what[: _WIDEST - 3] + "..."
    return place, crossing.direction, what, often, size


def planned_counts(transfers: Transfers) -> tuple[tuple[str, int], ...]:
    """How often, as text, and how many arrays cross that often; waits move no array."""
    counts: Counter[str] = Counter()
    for crossing in transfers.crossings:
        if crossing.direction != "sync":
            counts[crossing.often] += 1
    return tuple(sorted(counts.items()))


def _sum(counts: Iterable[tuple[str, int]]) -> str:
    """``5 + 2 x steps``: numbers first; of many loops only how many they are."""
    number, parts = 0, []
    for often, count in counts:
        if often.isdigit():
            number += int(often) * count
        else:
            parts.append(f"{count} x {often}" if count != 1 else often)
    if len(parts) > _MOST_TERMS:
        parts = [f"those of {len(parts)} loops"]
    return " + ".join([*([str(number)] if number or not parts else []), *parts])


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
