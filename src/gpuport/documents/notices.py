"""What is said about a place in a source file, whoever says it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How much a notice matters; the words are SARIF's."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Notice:
    """One sentence about a place.

    Attributes
    ----------
    path : str
        As the user would write it; relative to the working folder, if it can be.
    line, end_line : int
        1-based; 0 where the sentence is about the whole file.
    column, end_column : int or None
        1-based, in characters, the end exclusive; None for whole lines.
    level : Level
    code : str
    message : str
        What stands between backticks is code.
    help : str or None
        What the reader can do.
    """

    path: str
    line: int
    level: Level
    code: str
    message: str
    end_line: int = 0
    column: int | None = None
    end_column: int | None = None
    help: str | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """What a code means, for readers who meet it for the first time."""

    code: str
    name: str
    summary: str
    explanation: str
    level: Level = Level.WARNING


def one_line(text: str) -> str:
    """A text with every run of white space as one blank."""
    return " ".join(text.split())
