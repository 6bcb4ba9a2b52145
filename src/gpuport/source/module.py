"""A parsed source file, and the way from positions in its tree to positions in its text."""

from __future__ import annotations

import ast
import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from gpuport.records import Span
from gpuport.source.edits import Edited
from gpuport.source.nodes import Nodes
from gpuport.source.syntax import Kinds

_LINE = re.compile(r"\bline (\d+)\b")


@dataclass(frozen=True)
class Module:
    """One source file: its text exactly as decoded, and its tree.

    Attributes
    ----------
    path : str
        As shown to the user.
    text : str
        Decoded text with the file's own line endings and without a byte order mark.
    tree : ast.Module
        Its columns count UTF-8 bytes; `offset` turns them into character offsets.
    derived : tuple of Module and Edited, optional
        The user's file and the edits, where this text is an edited one: `span` and `line` then
        tell places in the user's file.
    """

    path: str
    text: str
    tree: ast.Module
    derived: tuple[Module, Edited] | None = None

    @cached_property
    def newline(self) -> str:
        r"""Line ending that an inserted line should have: that of the first line, else ``\n``."""
        return first_newline(self.text)

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Character offset of the start of each line, as Python's tokenizer counts lines.

        Form feeds and the other separators of `str.splitlines` do not end a line.
        """
        # Where the only ending is "\n", splitting on it is several times faster than looking.
        if "\r" in self.text:
            return _mixed_line_starts(self.text)
        lengths = (len(line) + 1 for line in self.text.split("\n")[:-1])
        return tuple(accumulate(lengths, initial=0))

    @cached_property
    def names(self) -> frozenset[str]:
        """All names that the code reads or binds, parameters left out."""
        return frozenset(node.id for node in self.kinds[ast.Name])

    @cached_property
    def kinds(self) -> Kinds:
        """All nodes of its tree by their classes, to be looked for without a walk of one's own."""
        return self.nodes.by_kind()

    @cached_property
    def nodes(self) -> Nodes:
        """The nodes in each part of its tree, by their classes."""
        return Nodes(self.tree)

    @cached_property
    def parameters(self) -> frozenset[str]:
        """The parameters of all functions in it."""
        return frozenset(node.arg for node in self.kinds[ast.arg])

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    @cached_property
    def _columns(self) -> dict[int, array[int] | None]:
        """Per line looked at: characters before each UTF-8 byte, None where the line is ASCII."""
        return {}

    def line_text(self, line: int) -> str:
        """Text of a 1-based line, its ending included."""
        starts = self.line_starts
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end]

    def stands_alone(self, node: ast.stmt) -> bool:
        """Whether a statement has its lines to itself, but for a comment behind it."""
        start, end = self.extent(node)
        first = self.line_starts[node.lineno - 1]
        last = node.end_lineno or node.lineno
        rest = self.line_starts[last] if last < len(self.line_starts) else len(self.text)
        behind = self.text[end:rest].strip()
        return not self.text[first:start].strip() and (not behind or behind[0] == "#")

    def offset(self, line: int, utf8_column: int) -> int:
        """Character offset into the text of a position of the tree.

        Parameters
        ----------
        line : int
            1-based, as ``node.lineno``.
        utf8_column : int
            0-based, in UTF-8 bytes, as ``node.col_offset``.
        """
        start = self.line_starts[line - 1]
        if self._is_ascii:
            return start + utf8_column
        table = self._columns.get(line, _UNSEEN)
        if table is _UNSEEN:
            table = self._columns[line] = _characters_before(self.line_text(line))
        if table is None:
            return start + utf8_column
        return start + table[min(utf8_column, len(table) - 1)]

    def position(self, offset: int) -> tuple[int, int]:
        """1-based line and character column of a character offset."""
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def extent(self, node: ast.AST) -> tuple[int, int]:
        """Character offsets ``[start, end)`` of a node; of the whole text for the module itself.

        Raises
        ------
        ValueError
            For nodes that have no position of their own, such as ``ast.arguments``.
        """
        if isinstance(node, ast.Module):
            return 0, len(self.text)
        place = node.__dict__
        line, end_line = place.get("lineno"), place.get("end_lineno")
        if line is None or end_line is None:
            raise ValueError(f"{type(node).__name__} has no position in the source")
        column, end_column = place["col_offset"], place["end_col_offset"]
        if self._is_ascii:
            starts = self.line_starts
            return starts[line - 1] + column, starts[end_line - 1] + end_column
        return self.offset(line, column), self.offset(end_line, end_column)

    def span(self, node: ast.AST) -> Span:
        """Place of a node: 1-based lines and character columns, the end column exclusive."""
        start, end = self.extent(node)
        if self.derived is None:
            return Span(*self.position(start), *self.position(end))
        first, last = self.original(start), self.original(max(start, end - 1)) + 1
        source = self.derived[0]
        return Span(*source.position(first), *source.position(max(first, last)))

    def original(self, offset: int) -> int:
        """Offset in the user's file of a character of this text."""
        return offset if self.derived is None else self.derived[1].origin(offset)

    def is_inserted(self, node: ast.AST) -> bool:
        """Whether all of a node, longer than one character, was put into the user's text."""
        start, end = self.extent(node)
        if self.derived is None or end - start < 2:
            return False
        return self.original(start) == self.original(end - 1)

    def line(self, node: ast.AST) -> int:
        """1-based line of a node in the user's file; 1 for what has no position of its own."""
        return self.span(node).line if hasattr(node, "lineno") else 1

    def line_of_file(self, line: int) -> int:
        """1-based line of the user's file that a line of this text comes from."""
        if self.derived is None:
            return line
        start = self.line_starts[line - 1]
        indent = len(self.line_text(line)) - len(self.line_text(line).lstrip())
        return self.derived[0].position(self.original(start + indent))[0]

    def in_lines_of_file(self, message: str) -> str:
        """A message with the lines of the user's file, where it speaks of lines of this text."""
        if self.derived is None:
            return message
        return _LINE.sub(lambda found: f"line {self.line_of_file(int(found[1]))}", message)

    def segment(self, node: ast.AST) -> str:
        """Text of a node, exactly as in the file."""
        start, end = self.extent(node)
        return self.text[start:end]


def first_newline(text: str) -> str:
    r"""Ending of the first line of a text; ``\n`` where there is none."""
    feed, carriage = text.find("\n"), text.find("\r")
    if carriage < 0 or 0 <= feed < carriage:
        return "\n"
    return "\r\n" if feed == carriage + 1 else "\r"


_UNSEEN: array[int] = array("L")


def _mixed_line_starts(text: str) -> tuple[int, ...]:
    starts = [0]
    position = 0
    for line in text.splitlines(keepends=True):
        position += len(line)
        # splitlines also splits at form feeds and Unicode separators, the tokenizer does not.
        if line.endswith(("\n", "\r")):
            starts.append(position)
    return tuple(starts)


def _characters_before(line: str) -> array[int] | None:
    """For each UTF-8 byte of a line (and its end), how many characters begin before it."""
    if line.isascii():
        return None
    table = array("L")
    for index, character in enumerate(line):
        table.extend([index] * len(character.encode("utf-8")))
    table.append(len(line))
    return table
