"""Unified diffs that ``git apply`` and ``patch -p1`` take."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from gpuport.records import FileReport

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
    lines = difflib.unified_diff(before, after, _header("a", file.path), _header("b", file.path))
    return "".join(_finished(lines, color))


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
