"""Equal findings told once, with their places; what is told is wrapped to a width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from gpuport.records import Finding

Item = TypeVar("Item")
Placed = tuple[str, Finding]
"""A finding and the path of its file."""

_VARIES = re.compile(r"`[^`]*`|\b(?:np|numpy|scipy)\.\w[\w.]*\w|\b\d+\b")
"""What of a message may be another name or line although it says the same."""
MOST_PLACES = 12
FEW_PLACES = 4
_SHORT = 160
_MOST_NAMES = 3
_LONGEST = 40


def entry(head: str, text: str, width: int, color: str = "") -> str:
    """Lines that begin with `head`, the later ones indented below it."""
    made = textwrap.fill(
        head + " ".join(text.split()), width, subsequent_indent=" " * 10,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return (f"\x1b[{color}m{head}\x1b[0m{made.removeprefix(head)}" if color else made) + "\n"


def places(found: Iterable[tuple[str, int]], *, single: bool, most: int = MOST_PLACES) -> str:
    """``lines 4, 9, 12``, or ``a.py:4, 9; b.py:3`` where there are several files."""
    lines: dict[str, dict[int, None]] = {}
    left = most
    for path, line in sorted(found, key=lambda place: place[1]):
        lines.setdefault(path, {})[line] = None
    parts, beyond = [], 0
    for path, numbers in lines.items():
        shown = [str(number) for number in [*numbers][:left]]
        beyond += len(numbers) - len(shown)
        left -= len(shown)
        if shown and single:
            word = "line" if len(numbers) == 1 else "lines"
            parts.append(f"{word} {', '.join(shown)}")
        elif shown:
            parts.append(f"{path}:{', '.join(shown)}")
    return "; ".join(parts) + (f" and {beyond} more" if beyond else "")


def grouped(items: Iterable[Item], finding: Callable[[Item], Finding]) -> list[list[Item]]:
    """Items whose findings say the same, of several things perhaps, together."""
    kinds: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        one = finding(item)
        kinds.setdefault((one.code, _VARIES.sub("\0", one.message)), []).append(item)
    groups: list[list[Item]] = []
    for found in kinds.values():
        if len(_varying([finding(item) for item in found])) <= 1:
            groups.append(found)
            continue
        same: dict[str, list[Item]] = {}
        for item in found:
            same.setdefault(finding(item).message, []).append(item)
        groups += same.values()
    return groups


def folded(
    groups: Iterable[Sequence[Placed]], *, single: bool, short: bool
) -> Iterator[tuple[str, str]]:
    """A head (code, how many times, where) and a text for each group of findings.

    Where `short`, a line for each code, which tells what is said of most.
    """
    by_code: dict[str, list[Sequence[Placed]]] = {}
    for group in groups:
        by_code.setdefault(group[0][1].code, []).append(group)
    for several in by_code.values():
        if short and len(several) > 1:
            most = max(several, key=len)
            every = [placed for group in several for placed in group]
            message = textwrap.shorten(one_message([one for _, one in most]), _SHORT)
            others = len(every) - len(most)
            head = _head(every, single, FEW_PLACES)
            yield head, f"{message}; {others} for other reasons (--verbose)"
            continue
        for group in several:
            message = one_message([one for _, one in group], with_help=not short)
            yield _head(group, single, FEW_PLACES if short else MOST_PLACES), message


def _head(found: Sequence[Placed], single: bool, most: int) -> str:
    where = places(((path, one.span.line) for path, one in found), single=single, most=most)
    times = f" {len(found)} times," if len(found) > 1 else ""
    return f"{found[0][1].code}{times} {where}"


def one_message(findings: Sequence[Finding], *, with_help: bool = False) -> str:
    """What the findings of a group say: what differs of it, one beside the other."""
    slots = _slots(findings)
    names = iter([_either(list(dict.fromkeys(column))) for column in slots])
    message = _VARIES.sub(lambda _: next(names), findings[0].message)
    helps = {one.help for one in findings} if with_help else {None}
    (help,) = helps if len(helps) == 1 else (findings[0].help,)
    return message if help is None else f"{message}. Help: {help}"


def _slots(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    """The names and numbers of messages of one kind: the first of each, the second of each, ..."""
    return [*zip(*(_VARIES.findall(one.message) for one in findings), strict=True)]


def _varying(findings: Sequence[Finding]) -> list[tuple[str, ...]]:
    return [column for column in _slots(findings) if len(set(column)) > 1]


def _either(names: Sequence[str]) -> str:
    shown, more = [_cut(name) for name in names[:_MOST_NAMES]], len(names) - _MOST_NAMES
    if more > 0:
        return f"{', '.join(shown)} or {more} more"
    return " or ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)


def _cut(name: str) -> str:
    """A name or expression; a long expression without its end."""
    return name if len(name) <= _LONGEST or name[0] != "`" else f"{name[: _LONGEST - 4]}...`"
