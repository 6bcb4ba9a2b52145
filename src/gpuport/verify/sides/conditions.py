"""Which condition decides whether a line or a branch of a function runs, by its place in the file.

Places are those of `gpuport.verify.execution.coverage`: a line, with the column where several
branches share it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

COLUMN = 1_000_000
"""Places hold the column plus one in units of this."""

Span = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Condition:
    """Where the expression stands that decides, and what of it has to be true or false.

    ``operands`` is how many of an ``and`` or ``or`` come before what never ran; None where the
    whole expression decides.
    """

    span: Span
    outcome: bool
    operands: int | None = None


def deciding_branch(tree: ast.AST, place: int, outcome: bool) -> Condition | None:
    """The condition of a branch.

    Parameters
    ----------
    tree : ast.AST
        The file's.
    place : int
        The line of an ``if`` or ``while``, or the place of a branch that shares its line.
    outcome : bool
        Which of its two branches.

    Returns
    -------
    Condition or None
        None where nothing decides it that can be looked at.
    """
    line, column = place % COLUMN, place // COLUMN - 1
    for node in ast.walk(tree):
        if column < 0:
            if isinstance(node, ast.If | ast.While) and node.lineno == line:
                return Condition(span_of(node.test), outcome)
        elif isinstance(node, ast.If | ast.IfExp):
            if (node.lineno, node.col_offset) == (line, column):
                return Condition(span_of(node.test), outcome)
        elif isinstance(node, ast.BoolOp):
            last = node.values[-1]
            if (last.lineno, last.col_offset) == (line, column):
                wanted = isinstance(node.op, ast.And)
                return Condition(span_of(node), wanted, len(node.values) - 1)
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            given = node.value if isinstance(node, ast.DictComp) else node.elt
            tests = [test for part in node.generators for test in part.ifs]
            if tests and (given.lineno, given.col_offset) == (line, column):
                return Condition(span_of(tests[-1]), True)
    return None


def deciding_line(tree: ast.AST, place: int) -> Condition | None:
    """The condition of the innermost ``if`` or ``while`` that a line which never ran stands in."""
    line, found = place % COLUMN, None
    for node in ast.walk(tree):  # what stands inside comes later
        if not isinstance(node, ast.If | ast.While) or isinstance(node.test, ast.Constant):
            continue
        for body, outcome in ((node.body, True), (node.orelse, False)):
            if body and body[0].lineno <= line <= (body[-1].end_lineno or line):
                found = Condition(span_of(node.test), outcome)
    return found


def deciding_mask(tree: ast.AST, place: int, outcome: bool) -> Condition | None:
    """A mask as a condition of its elements."""
    line, column = place % COLUMN, place // COLUMN - 1
    for node in ast.walk(tree):  # what stands around it comes first, and begins before it
        if isinstance(node, ast.expr) and (node.lineno, node.col_offset) == (line, column):
            return Condition(span_of(node), outcome)
    return None


def span_of(node: ast.expr) -> Span:
    """Where an expression begins and ends."""
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset, *end)


def expression(tree: ast.AST, span: Span) -> ast.expr | None:
    """The outermost expression with this extent."""
    for node in ast.walk(tree):  # what stands inside comes later
        if isinstance(node, ast.expr) and span_of(node) == span:
            return node
    return None
