"""Equal findings told once, with their places; what is told is wrapped to a width."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence

from gpuport.records import Finding

Placed = tuple[str, Finding]
"""A finding and the path of its file."""

_VARIES = re.compile(r"`[^`]*`|\b(?:np|numpy|scipy)\.\w[\w.]*\w|\b\d+\b")
"""What of a message may be another name or line although it says the same."""
_MOST_PLACES = 12
_MOST_NAMES = 3
_LONGEST = 40


def entry(head: str, text: str, width: int, color: str = "") -> str:
    """Lines that begin with `head`, the later ones indented below it."""
    made = textwrap.fill(
        head + " ".join(text.split()), width, subsequent_indent=" " * 10,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return (f"\x1b[{color}m{head}\x1b[0m{made.removeprefix(head)}" if color else made) + "\n"


def places(found: Iterable[tuple[str, int]], *, single: bool) -> str:
    """``lines 4, 9 and 12``, or ``a.py:4, 9; b.py:3`` where there are several files."""
    lines: dict[str, dict[int, None]] = {}
    left = _MOST_PLACES
    for path, line in found:
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


def kind(finding: Finding) -> tuple[str, str]:
    """What findings have in common that say the same of several things."""
    return finding.code, _VARIES.sub("\0", finding.message)


def folded(findings: Sequence[Placed], *, single: bool, short: bool) -> Iterator[tuple[str, str]]:
    """A head (code, how many times, where) and a text for findings that say the same.

    Where `short`, a line for each code, which tells what is said of most.
    """
    by_code: dict[str, dict[tuple[str, str], list[Placed]]] = {}
    for placed in findings:
        one = placed[1]
        by_code.setdefault(one.code, {}).setdefault(kind(one), []).append(placed)
    for kinds in by_code.values():
        if short and len(kinds) > 1:
            most = max(kinds.values(), key=len)
            others = sum(map(len, kinds.values())) - len(most)
            every = [placed for found in kinds.values() for placed in found]
            message = one_message([one for _, one in most])
            yield _head(every, single), f"{message}; {others} for other reasons (--verbose)"
            continue
        for found in kinds.values():
            yield _head(found, single), one_message([one for _, one in found], with_help=True)


def _head(found: Sequence[Placed], single: bool) -> str:
    where = places(((path, one.span.line) for path, one in found), single=single)
    times = f" {len(found)} times," if len(found) > 1 else ""
    return f"{found[0][1].code}{times} {where}"


def one_message(findings: Sequence[Finding], *, with_help: bool = False) -> str:
    """What findings of one `kind` say."""
    message = _joined(findings)
    helps = {one.help for one in findings} if with_help else {None}
    (help,) = helps if len(helps) == 1 else (findings[0].help,)
    return message if help is None else f"{message}. Help: {help}"


def _joined(findings: Sequence[Finding]) -> str:
    """Their message, with what differs of it one beside the other."""
    slots = [_VARIES.findall(one.message) for one in findings]
    columns = [list(dict.fromkeys(column)) for column in zip(*slots, strict=True)]
    varying = [k for k, column in enumerate(columns) if len(column) > 1]
    alike = len(varying) <= 1
    names = iter([_either(column) if alike else _cut(column[0]) for column in columns])
    message = _VARIES.sub(lambda _: next(names), findings[0].message)
    return message if alike else f"{message} (the first of them)"


def _either(names: Sequence[str]) -> str:
    shown, more = [_cut(name) for name in names[:_MOST_NAMES]], len(names) - _MOST_NAMES
    if more > 0:
        return f"{', '.join(shown)} or {more} more"
    return " or ".join(part for part in (", ".join(shown[:-1]), shown[-1]) if part)


def _cut(name: str) -> str:
    """A name or expression; a long expression without its end."""
    return name if len(name) <= _LONGEST or name[0] != "`" else f"{name[: _LONGEST - 4]}...`"
