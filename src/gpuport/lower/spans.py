"""Places of nodes in the user's file."""

from __future__ import annotations

import ast

from gpuport.records import Span
from gpuport.source.module import Module


class Spans:
    """Spans of the nodes of one file, each made once.

    Attributes
    ----------
    pinned : Span or None
        While set, the place of every node. Before Python 3.12 nodes inside an f-string have places
        of their own only by luck.
    """

    def __init__(self, module: Module) -> None:
        self.module = module
        self.pinned: Span | None = None
        self._plain = module.text.isascii() and module.derived is None
        self._known: dict[ast.AST, Span] = {}

    def of(self, node: ast.AST) -> Span:
        """1-based lines and columns in characters, the end exclusive."""
        if self.pinned is not None:
            return self.pinned
        span = self._known.get(node)
        if span is None:
            span = self._known[node] = self._make(node)
        return span

    def _make(self, node: ast.AST) -> Span:
        if isinstance(node, ast.Module):
            return Span(1, 1, *self.module.position(len(self.module.text)))
        if self.module.derived is not None:
            return self.module.span(node)
        place = node.__dict__
        line, end_line = place["lineno"], place["end_lineno"]
        column, end_column = place["col_offset"], place["end_col_offset"]
        if not self._plain:
            column, end_column = (
                self._characters(line, column),
                self._characters(end_line, end_column),
            )
        return Span(line, column + 1, end_line, end_column + 1)

    def _characters(self, line: int, utf8_column: int) -> int:
        return self.module.offset(line, utf8_column) - self.module.line_starts[line - 1]
