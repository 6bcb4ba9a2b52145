"""Pages as GitHub flavoured Markdown, for pull requests and job summaries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gpuport.documents.notices import one_line
from gpuport.documents.pages import Listing, Page, Table

_CODE = re.compile(r"(`[^`]*`)")
_BAR = r"\|"
_ACTIVE = re.compile(r"([\\*_\[\]<>~#])")


def render(page: Page) -> str:
    """The page, its listings folded."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    yield f"## {_escaped(page.title)}"
    for sentence in page.sentences:
        yield ""
        yield _escaped(sentence)
    for table in page.tables:
        if table.rows:
            yield from _table(table)
    for listing in page.listings:
        yield from _listing(listing)


def _table(table: Table) -> Iterator[str]:
    yield ""
    yield f"### {_escaped(table.title)}"
    yield ""
    yield _row(table.columns)
    yield _row(("---",) * len(table.columns))
    yield from map(_row, table.rows)


def _row(cells: tuple[str, ...]) -> str:
    # A bar is escaped within code, too: the cells are parted first.
    return f"| {' | '.join(_escaped(cell).replace('|', _BAR) for cell in cells)} |"


def _listing(listing: Listing) -> Iterator[str]:
    longest = max((len(run) for run in re.findall(r"`+", listing.text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield ""
    yield f"<details><summary>{_html(listing.title)}</summary>"
    yield ""
    yield fence + listing.language
    yield listing.text.rstrip("\n")
    yield fence
    yield ""
    yield "</details>"


def _escaped(text: str) -> str:
    """A sentence of which nothing but what stands between backticks is markup."""
    parts = _CODE.split(one_line(text))
    return "".join(part if part.startswith("`") else _ACTIVE.sub(r"\\\1", part) for part in parts)


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
