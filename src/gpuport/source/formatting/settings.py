"""The settings of the formatter that a project uses: Black's or Ruff's, where they are declared."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

_USUAL_WIDTH = 88
_RUFF_FILES = (".ruff.toml", "ruff.toml")


@dataclass(frozen=True, slots=True)
class Style:
    """How a formatter lays out the files of a project.

    Attributes
    ----------
    width : int
        Most characters of a line.
    step : int
        Columns of a step of indentation.
    quote : str or None
        What strings are written with; None where they stay as they are.
    """

    width: int = _USUAL_WIDTH
    step: int = 4
    quote: str | None = '"'


def style_of(path: Path) -> Style | None:
    """The style of a file; None where no formatter is declared, or where it leaves the file out."""
    file = path.absolute()
    for folder in file.parents:
        found = _declared(folder)
        if found is not None:
            style, left_out = found
            relative = file.relative_to(folder).as_posix()
            return None if left_out is not None and left_out(relative) else style
    return None


@lru_cache(maxsize=256)
def _declared(folder: Path) -> tuple[Style | None, Any] | None:
    """The style that a folder declares, and what asks whether it leaves out a file.

    The regular expressions by which Black leaves out files are not asked: they are a stranger's.
    """
    for name in _RUFF_FILES:
        table = _table(folder / name)
        if table is not None:
            return _of_ruff(table)
    tools = (_table(folder / "pyproject.toml") or {}).get("tool")
    if not isinstance(tools, Mapping):
        return None
    black, ruff = tools.get("black"), tools.get("ruff")
    if isinstance(black, Mapping) and not (isinstance(ruff, Mapping) and "format" in ruff):
        return _of_black(black)
    return _of_ruff(ruff) if isinstance(ruff, Mapping) else None


def _table(file: Path) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _of_ruff(table: Mapping[str, Any]) -> tuple[Style | None, Any]:
    format_ = table.get("format")
    options = format_ if isinstance(format_, Mapping) else {}
    quotes = {"single": "'", "preserve": None}.get(str(options.get("quote-style")), '"')
    style: Style | None = Style(
        _number(table.get("line-length"), _USUAL_WIDTH), _number(table.get("indent-width"), 4),
        quotes,
    )  # fmt: skip
    if options.get("indent-style") == "tab" or options.get("skip-magic-trailing-comma") is True:
        style = None  # its lines are counted, or laid out, in another way
    places = (table.get("exclude"), table.get("extend-exclude"), options.get("exclude"))
    patterns = [str(one) for listed in places if isinstance(listed, list) for one in listed]
    if not patterns:
        return style, None
    from pathspec import GitIgnoreSpec

    return style, GitIgnoreSpec.from_lines(patterns).match_file


def _of_black(table: Mapping[str, Any]) -> tuple[Style | None, Any]:
    if table.get("skip-magic-trailing-comma") is True:
        return None, None
    kept = table.get("skip-string-normalization") is True
    return Style(_number(table.get("line-length"), _USUAL_WIDTH), 4, None if kept else '"'), None


def _number(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and value > 0 else otherwise


__all__ = ["Style", "style_of"]
