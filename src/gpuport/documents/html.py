"""Pages as HTML, one file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from gpuport.documents.notices import one_line
from gpuport.documents.pages import Listing, Page, Table

_CODE = re.compile(r"`([^`]*)`")
_KINDS = (("+++", "file"), ("---", "file"), ("@@", "hunk"), ("+", "new"), ("-", "old"))

_STYLE = """\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { border-bottom: 1px solid #8884; padding: .25em .75em; text-align: left; }
td { vertical-align: top; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75em; border: 1px solid #8884; }
summary { cursor: pointer; }
.new { color: #188038; } .old { color: #c5221f; } .hunk { color: #1a73e8; }
.file { font-weight: 600; }
"""


def render(page: Page) -> str:
    """The page, its listings folded."""
    return "\n".join(_lines(page)) + "\n"


def _lines(page: Page) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f"<title>{escape(page.title)}</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>"
    yield f"<h1>{_inline(page.title)}</h1>"
    yield from (f"<p>{_inline(sentence)}</p>" for sentence in page.sentences)
    for table in page.tables:
        if table.rows:
            yield from _table(table)
    for listing in page.listings:
        yield from _listing(listing)
    yield "</body>\n</html>"


def _table(table: Table) -> Iterator[str]:
    yield f"<h2>{_inline(table.title)}</h2>\n<table>"
    yield f"<tr>{''.join(f'<th>{_inline(cell)}</th>' for cell in table.columns)}</tr>"
    for row in table.rows:
        yield f"<tr>{''.join(f'<td>{_inline(cell)}</td>' for cell in row)}</tr>"
    yield "</table>"


def _listing(listing: Listing) -> Iterator[str]:
    lines = [_line(line, listing.language) for line in listing.text.rstrip("\n").split("\n")]
    text = "\n".join(lines)
    yield f"<details><summary>{_inline(listing.title)}</summary>\n<pre>{text}</pre>\n</details>"


def _line(line: str, language: str) -> str:
    if language == "diff":
        for start, kind in _KINDS:
            if line.startswith(start):
                return f'<span class="{kind}">{escape(line)}</span>'
    return escape(line)


def _inline(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(one_line(text)))
