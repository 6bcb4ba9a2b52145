"""What became of the functions: a line each, what matters most first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gpuport.records import FileReport, Finding, FunctionReport, RunReport, Severity, Status
from gpuport.report.folding import FEW_PLACES, MOST_PLACES, entry, grouped, one_message, places
from gpuport.rules.findings import registry

STATUS = {
    Status.PORTED: "ported",
    Status.PARTIAL: "partly",
    Status.REFUSED: "left",
    Status.UNCHANGED: "without array work",
}
"""The statuses in words for people."""
_COLORS = {Status.PORTED: "32", Status.PARTIAL: "33", Status.REFUSED: "33"}
_MOST_LEFT = 10
_MOST_LINES = 16
"""Lines of functions; where there were more, functions that were ported are told together."""
_MOST_NAMES = 6
_FEW_NAMES = 3
_WITH_HELP = 4
"""Lines about functions that stay, up to which these say what to do."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A function, and the findings that say the one reason why it is not ported as a whole."""

    path: str
    function: FunctionReport
    why: tuple[Finding, ...] = ()

    @property
    def quiet(self) -> list[Finding]:
        """What of it needs not be told once more."""
        return [one for one in self.why if one.severity is not Severity.ERROR]

    @property
    def harmless(self) -> bool:
        """Whether nothing is lost by that, or asked of anybody."""
        return bool(self.why) and self.why[0].severity is Severity.INFO

    @property
    def weight(self) -> int:
        return self.why[0].weight if self.why else 0


@dataclass(frozen=True, slots=True)
class _Style:
    """How lines are written; `single`: a run over one file, whose name need not be said."""

    width: int
    color: bool
    single: bool
    names: int = _MOST_NAMES
    places: int = MOST_PLACES

    def line(self, status: Status, text: str) -> str:
        """A line about functions of a status."""
        color = _COLORS[status] if self.color else ""
        return entry(f"  {STATUS[status]:<8}", text, self.width, color)


@dataclass(frozen=True, slots=True)
class Functions:
    """The functions of a run that work with arrays.

    Attributes
    ----------
    lines : tuple of str
    told : frozenset of int
        The ids of the findings that the lines tell, errors apart.
    heaviest : tuple or None
        The path and finding of the reason that weighs most.
    """

    lines: tuple[str, ...]
    told: frozenset[int]
    heaviest: tuple[str, Finding] | None


def functions(report: RunReport, width: int, *, color: bool, every: bool = False) -> Functions:
    """A line for each function; `every`: also where there are many."""
    style = _Style(width, color, single=len(report.files) == 1)
    rows = [
        _Row(file.path, one, _why(file, one))
        for file in report.files for one in file.functions if one.status is not Status.UNCHANGED
    ]  # fmt: skip
    ported = [row for row in rows if row.function.status is Status.PORTED]
    kept = [row for row in rows if row.function.status is not Status.PORTED]
    kept.sort(key=lambda row: -row.weight)
    groups = _alike([row for row in kept if not row.harmless])
    harmless = _alike([row for row in kept if row.harmless])
    most = len(kept) if every else _MOST_LEFT
    if len(groups) > most:
        style = replace(style, names=_FEW_NAMES, places=FEW_PLACES)
    with_help = len(groups) <= _WITH_HELP
    lines = [_left(group, style, with_help=with_help) for group in groups[:most]]
    lines += _beyond(groups[most:], style)
    if every or len(lines) + len(ported) <= _MOST_LINES:
        lines += [
            style.line(Status.PORTED, f"{_names([r], style)}: {_how(r.function)}") for r in ported
        ]
    else:
        lines += _together(ported, style)
    lines += [_left(group, style) for group in harmless[:most]]
    lines += _beyond(harmless[most:], style)
    shown = (*groups[:most], *harmless[:most])
    told = frozenset(id(one) for group in shown for row in group for one in row.quiet)
    heavy = next((group[0] for group in groups if group[0].why), None)
    return Functions(tuple(lines), told, (heavy.path, heavy.why[0]) if heavy else None)


def _why(file: FileReport, function: FunctionReport) -> tuple[Finding, ...]:
    """The findings that say the one reason: what runs most often, then the first that counts."""
    codes = {code: k for k, code in enumerate(function.reasons)}
    found = [f for f in file.findings if f.function == function.name and f.code in codes]
    if not found or function.status is Status.PORTED:
        return ()
    first = min(found, key=lambda f: (f.severity is Severity.INFO, -f.weight, codes[f.code]))
    order = [first, *(one for one in found if one is not first)]
    return tuple(grouped(order, lambda one: one)[0])


def _alike(rows: Sequence[_Row]) -> list[list[_Row]]:
    """Rows of which the same is to be said, together; in their order."""
    groups = [[row] for row in rows if not row.why]
    for status in (Status.PARTIAL, Status.REFUSED):
        told = (row for row in rows if row.why and row.function.status is status)
        groups += grouped(told, lambda row: row.why[0])
    order = {id(row): k for k, row in enumerate(rows)}
    return sorted(groups, key=lambda group: order[id(group[0])])


def _left(group: Sequence[_Row], style: _Style, *, with_help: bool = False) -> str:
    first, details = group[0].function, []
    why = [one for row in group for one in row.why]
    reason = registry()[first.reasons[0]].summary if first.reasons else "nothing was ported"
    if why:
        reason = one_message(why, with_help=with_help)
        found = [(row.path, one.span.line) for row in group for one in row.why]
        details.append(why[0].code)
        if found != [(row.path, row.function.line) for row in group]:
            details.append(places(found, single=style.single, most=style.places))
        if why[0].often != "1":
            details.append(f"{why[0].often} times")
    after = f" ({', '.join(details)})" if details else ""
    return style.line(first.status, f"{_names(group, style)}: {reason}{after}")


def _how(function: FunctionReport) -> str:
    """With what a function was ported."""
    parts = [
        _count(function.kernels, "kernel"),
        _count(function.batched, "stacked loop"),
        _count(function.swapped, "CuPy call"),
        "boundary" if function.boundary else "",
        (function.verdict or "").lower(),
    ]
    return ", ".join(part for part in parts if part) or "its arrays are on the device"


def _together(ported: Sequence[_Row], style: _Style) -> Iterator[str]:
    """Functions that were ported in the same way, in a line."""
    groups: dict[str, list[_Row]] = {}
    for row in ported:
        one = row.function
        has = (one.kernels > 0, one.batched > 0, one.boundary)
        words = ("kernels", "stacked loops", "a boundary")
        ways = " and ".join(word for word, held in zip(words, has, strict=True) if held)
        groups.setdefault(ways or "CuPy calls alone", []).append(row)
    for ways, rows in groups.items():
        head = f"{len(rows)} with {ways}"
        yield style.line(Status.PORTED, f"{head}: {_some(rows, style)}")


def _beyond(groups: Sequence[Sequence[_Row]], style: _Style) -> Iterator[str]:
    """A line for those that are too many."""
    rows = [row for group in groups for row in group]
    if rows:
        text = f"{len(rows)} more in part or not at all (--verbose): {_some(rows, style)}"
        yield style.line(Status.REFUSED, text)


def _some(rows: Sequence[_Row], style: _Style) -> str:
    names = [_name(row) for row in rows[: style.names]]
    more = len(rows) - len(names)
    return ", ".join(names) + (f" and {more} more" if more else "")


def _names(group: Sequence[_Row], style: _Style) -> str:
    lines = [(row.path, row.function.line) for row in group]
    where = places(lines, single=style.single, most=style.places)
    return f"{_some(group, style)} ({where})"


def _name(row: _Row) -> str:
    return "top of the file" if row.function.name == "<module>" else row.function.name


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'s' * (number != 1)}" if number else ""
