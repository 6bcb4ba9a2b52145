"""Lines of a kernel and of what stands around its launch, in the module's own indentation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from gpuport.source.edits import Edit
from gpuport.source.module import Module

INDENT = "    "
"""What kernels and launches are written with before they are indented as the module is."""

_WIDE, _WIDEST = 88, 120
"""Characters of a line of code that is written: as many as black's, and as the file's own up to a
limit."""


def room(module: Module) -> int:
    """How long a line may be that is put into a module: as long as the longest of its own."""
    return min(max(_WIDE, _longest(module.text)), _WIDEST)


@lru_cache(maxsize=4)  # each kernel of a module asks, and each call of it
def _longest(text: str) -> int:
    return max(
        (len(one) for one in text.splitlines() if not one.lstrip().startswith("#")), default=0
    )


def above(module: Module, node: ast.stmt) -> int:
    """Offset of the line above which a kernel goes: that of the statement at the module's top.

    Comments right above the statement stay with it.
    """
    line = node.lineno
    for statement in module.tree.body:
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            decorators = getattr(statement, "decorator_list", [])
            first = min([statement.lineno, *(d.lineno for d in decorators)])
            while first > 1 and module.line_text(first - 1).startswith("#"):
                first -= 1
            return int(module.line_starts[first - 1])
    raise AssertionError("a node of the module is in none of its statements")


def blank_before(module: Module, at: int, wanted: int) -> Iterator[str]:
    """Blank lines, as far as there are none yet."""
    lines = module.text[:at].splitlines()
    there = len(list(takewhile(lambda line: not line.strip(), reversed(lines))))
    yield from [""] * (wanted - there if lines else 0)


def indentation(module: Module, node: ast.stmt) -> str:
    """What the first line of a statement is indented by."""
    line = module.line_text(node.lineno)
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def step(module: Module, node: ast.stmt | ast.Module) -> str:
    """What a line inside a statement is indented by; empty where that is not to be seen.

    A module shows it in the first of its statements that has a body on lines of its own.
    """
    if isinstance(node, ast.Module):
        return next(filter(None, (step(module, one) for one in node.body)), "")
    body = getattr(node, "body", None)
    if not body or body[0].lineno == node.lineno:
        return ""
    outer, inner = indentation(module, node), indentation(module, body[0])
    return inner[len(outer) :] if inner.startswith(outer) else ""


def width(text: str) -> int:
    """Columns that a text takes, tabs as wide as the steps of most."""
    return len(text.expandtabs(len(INDENT)))


def filled(lengths: Sequence[int], room: int) -> list[int]:
    """Which of some arguments begin a line, where each line takes as many as fit."""
    begins, taken = [0], 0
    for position, length in enumerate(lengths):
        if position and taken + length + len(",") > room:
            begins.append(position)
            taken = 0
        taken += length + len(", ")
    return begins


def on_lines(texts: Sequence[str], one_step: str, room: int, one_each: bool) -> list[str]:
    """The arguments of a call that takes several lines; with `one_each`, on a line each."""
    begins = filled([*map(width, texts)], room - width(one_step))
    if len(begins) > 1 and one_each:
        return [f"{one_step}{text}," for text in texts]
    ends = [*begins[1:], len(texts)]
    lines = [one_step + ", ".join(texts[a:b]) for a, b in zip(begins, ends, strict=True)]
    return [f"{line}," for line in lines[:-1]] + lines[-1:]


def has_one_each(module: Module) -> bool:
    """Whether a module writes long calls as Black does, with a line for each argument."""
    return re.search(r",[ \t]*\r?\n[ \t]*\)", module.text) is not None


def indented(line: str, one_step: str) -> str:
    """A line with the module's own indentation."""
    bare = line.lstrip(" ")
    depth, rest = divmod(len(line) - len(bare), len(INDENT))
    return one_step * depth + " " * rest + bare


def inside_strings(node: ast.AST) -> set[int]:
    """Lines that begin inside a string: their indentation is part of a value."""
    found: set[int] = set()
    for inner in ast.walk(node):
        if isinstance(inner, (ast.Constant, ast.JoinedStr)) and inner.end_lineno is not None:
            found.update(range(inner.lineno + 1, inner.end_lineno + 1))
    return found


def line_above(module: Module, statement: ast.stmt, *lines: str) -> Edit:
    """Lines above a statement that stands alone on its own, as deep as it."""
    indent = indentation(module, statement)
    start = module.line_starts[statement.lineno - 1]
    return Edit(start, start, ("".join(indent + one + module.newline for one in lines),))


def line_below(module: Module, statement: ast.stmt, *lines: str) -> Edit:
    """Lines below a statement that stands alone on its own, as deep as it."""
    text = [indentation(module, statement) + one for one in lines]
    last = statement.end_lineno or statement.lineno
    if last < len(module.line_starts) and module.line_text(last).endswith(("\n", "\r")):
        start = module.line_starts[last]
        return Edit(start, start, ("".join(one + module.newline for one in text),))
    end = len(module.text)
    return Edit(end, end, ("".join(module.newline + one for one in text),))


__all__ = [
    "INDENT",
    "above",
    "blank_before",
    "indentation",
    "indented",
    "inside_strings",
    "line_above",
    "line_below",
    "room",
    "step",
    "width",
]
