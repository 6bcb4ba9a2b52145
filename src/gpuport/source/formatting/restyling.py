"""What a port changed of a formatted file, laid out as the file is."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gpuport.source.formatting.settings import Style
from gpuport.source.formatting.splitting import Layout
from gpuport.source.formatting.tokens import Unsure

_ENOUGH = 0.9
"""Statements of a file that lie as the formatter would lay them, from which on it is formatted."""
_STRINGS = re.compile(r"""^( *)(['"])[^'"\\\n]+\2(?:\n *\2[^'"\\\n]+\2)+(,?)$""", re.MULTILINE)
_STRING = re.compile(r"([A-Za-z]*)(['\"])([^'\"\\{}]*)\2")


@dataclass(frozen=True, slots=True)
class _Statement:
    """Lines of a simple statement, of the head of another one, or of a decorator; from 0 on."""

    first: int
    last: int
    depth: int
    text: str


def restyled(before: str, after: str, style: Style) -> str:
    """A port with its new and changed statements laid out by a style, where the original is.

    What is not certain to be what the formatter makes of it stays as it is.
    """
    layout = Layout(style.width, style.step)
    old = list(_statements(before, style.step))
    if "\r" in after or not _is_formatted(old, layout):
        return after
    known = {(one.depth, one.text) for one in old}
    lines = after.split("\n")
    for one in sorted(_statements(after, style.step), key=lambda one: -one.first):
        if (one.depth, one.text) in known:
            continue
        text = _joined(one.text, style.width)
        text = text if style.quote is None else _requoted(text, style.quote)
        indent = " " * style.step
        try:
            made = [indent * depth + line for depth, line in layout.lay_out(text, one.depth)]
        except Unsure:
            head = indent * one.depth
            made = (head + text).split("\n") if text != one.text else []
        if made:
            lines[one.first : one.last] = made
    text = "\n".join(lines)
    return text if text == after or _same(text, after) else after


def _is_formatted(statements: Sequence[_Statement], layout: Layout) -> bool:
    broken = (s for s in statements if "\n" in s.text or len(s.text) > layout.width)
    told = [one for one in (_lies_right(s, layout) for s in broken) if one is not None]
    return sum(told) >= _ENOUGH * len(told)


def _lies_right(one: _Statement, layout: Layout) -> bool | None:
    """Whether a statement lies as the formatter would lay it; None where that is not certain."""
    try:
        made = layout.lay_out(one.text, one.depth)
    except Unsure:
        return None
    first, *others = made
    indent = " " * layout.step
    text = "\n".join([first[1], *(indent * depth + line for depth, line in others)])
    return text == one.text


def _statements(text: str, step: int) -> Iterator[_Statement]:
    """Statements that have lines of their own, indented by whole steps."""
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.stmt):
            continue
        for decorator in getattr(node, "decorator_list", []):
            yield from _placed(lines, decorator.lineno, decorator.end_lineno or 0, step)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        body = getattr(node, "body", None) or getattr(node, "cases", None)
        last = node.end_lineno or 0
        if body:
            inner = getattr(body[0], "decorator_list", None) or body
            last = getattr(inner[0], "lineno", node.lineno) - 1
        yield from _placed(lines, node.lineno, last, step)


def _placed(lines: Sequence[str], first: int, last: int, step: int) -> Iterator[_Statement]:
    chosen = lines[first - 1 : last]
    while chosen and not chosen[-1].strip():
        chosen = chosen[:-1]
    if not chosen:
        return
    bare = chosen[0].lstrip(" ")
    depth, rest = divmod(len(chosen[0]) - len(bare), step)
    if not rest and not bare.startswith("\t"):
        text = "\n".join([bare, *chosen[1:]])
        yield _Statement(first - 1, first - 1 + len(chosen), depth, text)


def _joined(text: str, width: int) -> str:
    """A statement whose strings on lines of their own are one where there is room for it."""

    def join(match: re.Match[str]) -> str:
        indent, quote, comma = match.groups()
        strings = (line.strip().rstrip(",")[1:-1] for line in match[0].split("\n"))
        made = f"{indent}{quote}{''.join(strings)}{quote}{comma}"
        return made if len(made) <= width else match[0]

    return _STRINGS.sub(join, text)


def _requoted(text: str, quote: str) -> str:
    """A statement whose plain strings have these quotes."""
    lines = text.split("\n")
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return text
    for token in tokens:
        match = _STRING.fullmatch(token.string) if token.type == tokenize.STRING else None
        if match is not None and match[2] != quote:
            row, start = token.start
            line = lines[row - 1]
            made = f"{match[1]}{quote}{match[3]}{quote}"
            lines[row - 1] = line[:start] + made + line[token.end[1] :]
    return "\n".join(lines)


def _same(one: str, other: str) -> bool:
    """Whether two texts mean the same to Python."""
    try:
        return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))
    except (SyntaxError, RecursionError):
        return False


__all__ = ["restyled"]
