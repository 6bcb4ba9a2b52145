"""Unified diffs that ``git apply`` and ``patch -p1`` take."""

from __future__ import annotations

from collections.abc import Iterator

from gpuport.records import FileReport
from gpuport.report.matching import LineMatcher

_COLORS = (("+++", "1"), ("---", "1"), ("@@", "36"), ("+", "32"), ("-", "31"))


def unified_diff(file: FileReport, *, color: bool = False, raw: bool = True) -> str:
    r"""Diff of one file from its original to its port; empty where nothing changes.

    Lines end at ``\n`` alone, as for git; a carriage return is part of its line.

    Parameters
    ----------
    file : FileReport
    color : bool
        Whether lines are coloured for a terminal.
    raw : bool
        Whether the lines are the bytes of the file (those that are not UTF-8 as surrogate
        escapes), so that the diff applies to a file in another encoding; else plain text.
    """
    if not file.changed:
        return ""
    before, after = (_lines(file, text, raw) for text in (file.before or "", file.after or ""))
    sides = f"--- {_header('a', file.path)}\n", f"+++ {_header('b', file.path)}\n"
    return "".join(_finished(_changes(before, after, sides), color))


def _changes(before: list[str], after: list[str], sides: tuple[str, str]) -> Iterator[str]:
    """The lines of a diff, three lines of context around each change."""
    for number, group in enumerate(LineMatcher(before, after).get_grouped_opcodes()):
        if not number:
            yield from sides
        (_, i, _, j, _), (_, _, i_end, _, j_end) = group[0], group[-1]
        yield f"@@ -{_range(i, i_end)} +{_range(j, j_end)} @@\n"
        for tag, i, i_end, j, j_end in group:
            if tag == "equal":
                yield from (f" {line}" for line in before[i:i_end])
                continue
            yield from (f"-{line}" for line in before[i:i_end])
            yield from (f"+{line}" for line in after[j:j_end])


def _range(start: int, end: int) -> str:
    """Lines of one side, counted from 1, as unified diffs write them."""
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + (length > 0)},{length}"


def _lines(file: FileReport, text: str, raw: bool) -> list[str]:
    if raw:
        if file.encoding != "utf-8":
            text = text.encode(file.encoding).decode("utf-8", "surrogateescape")
        text = "\ufeff" + text if file.bom else text
    *ended, last = text.split("\n")
    return [line + "\n" for line in ended] + ([last] if last else [])


def _header(side: str, path: str) -> str:
    name = f"{side}/{path.lstrip('/')}"
    if any(character < " " or character in '"\\' for character in name):
        escaped = name.encode("unicode_escape").decode("ascii").replace('"', '\\"')
        return f'"{escaped}"'
    # The tab ends a name that holds blanks.
    return name + "\t" if " " in name else name


def _finished(lines: Iterator[str], color: bool) -> Iterator[str]:
    for line in lines:
        unended = not line.endswith("\n")
        yield (_colored(line.removesuffix("\n")) + "\n") if color else line + "\n" * unended
        if unended:
            yield "\\ No newline at end of file\n"


def _colored(line: str) -> str:
    for start, code in _COLORS:
        if line.startswith(start):
            return f"\x1b[{code}m{line}\x1b[0m"
    return line
