"""A report as a page for people: sentences, tables, and longer texts behind their titles."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of sentences; what stands between backticks is code.

    Attributes
    ----------
    title : str
    columns : tuple of str
    rows : tuple of tuple of str
        As many cells each as there are columns.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """A text of many lines in a language (``diff``), shown on request."""

    title: str
    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """All of a report; tables without rows are left out."""

    title: str
    sentences: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    listings: tuple[Listing, ...] = ()


def code(text: str) -> str:
    """A text as code within a sentence."""
    return f"`{text}`"
