"""Loops over a few written-out numbers: ``for dx in (-1, 0, 1)``."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise

from .counting import leaves
from .heads import parse
from .names import constant_int


def literal_items(node: ast.expr) -> list[ast.expr] | None:
    """The items of a written-out tuple or list of numbers, or of tuples of them."""
    if not isinstance(node, ast.Tuple | ast.List) or not node.elts:
        return None
    for item in node.elts:
        parts = item.elts if isinstance(item, ast.Tuple) else [item]
        if not all(map(is_number, parts)):
            return None
    return list(node.elts)


def is_number(node: ast.expr) -> bool:
    """Whether an expression is a number that is written out."""
    literal = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(literal, ast.Constant) and not isinstance(literal.value, str | bytes)


def as_range(node: ast.For, items: Sequence[ast.expr]) -> ast.expr | None:
    """``(-1, 0, 1)`` as ``range(-1, 2, 1)``, where writing the body out would not be simpler.

    None for numbers that are not evenly apart.
    """
    numbers = [constant_int(item) for item in items]
    nested = any(isinstance(part, ast.For | ast.While) for part in node.body)
    if len(numbers) < 2 or not isinstance(node.target, ast.Name):
        return None
    if not (nested or leaves(node.body)):
        return None
    whole = [number for number in numbers if number is not None]
    apart = {b - a for a, b in pairwise(whole)}
    if len(whole) < len(numbers) or len(apart) != 1 or 0 in apart:
        return None
    step = apart.pop()
    return parse(f"range({whole[0]}, {whole[-1] + (1 if step > 0 else -1)}, {step})", node.iter)


def without_continue(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """``if a: continue`` followed by the rest as ``if a: pass`` with the rest in its ``else``."""
    made: list[ast.stmt] = []
    for k, statement in enumerate(body):
        ends = isinstance(statement, ast.If) and not statement.orelse
        if ends and isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Continue):
            before = statement.body[:-1] or [ast.copy_location(ast.Pass(), statement)]
            rest = without_continue(body[k + 1 :])
            one = ast.If(statement.test, before, rest)
            return [*made, ast.copy_location(one, statement)]
        made.append(statement)
    return made
