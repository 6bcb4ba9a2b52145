"""Loops over a few written-out numbers: ``for dx in (-1, 0, 1)``."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from itertools import pairwise

from gpuport.loops.facts import Fact
from gpuport.loops.heads.counting import leaves
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import constant_int, function_path
from gpuport.source import syntax


def literal_items(node: ast.expr, facts: Mapping[str, Fact]) -> list[ast.expr] | None:
    """The items of a written-out tuple or list of numbers, or of tuples of them.

    So are those of ``zip`` and ``enumerate`` of such tuples.
    """
    if isinstance(node, ast.Call):
        return _combined(node, facts)
    if not isinstance(node, ast.Tuple | ast.List) or not node.elts:
        return None
    return list(node.elts) if all(map(_is_written_out, node.elts)) else None


def _combined(call: ast.Call, facts: Mapping[str, Fact]) -> list[ast.expr] | None:
    path = function_path(call.func, facts)
    parts = [literal_items(one, facts) for one in call.args]
    if call.keywords or not parts or path not in ("builtins.zip", "builtins.enumerate"):
        return None
    if path == "builtins.enumerate":
        first = constant_int(call.args[1]) if len(parts) == 2 else 0
        if len(parts) > 2 or parts[0] is None or first is None:
            return None
        counted = [ast.copy_location(ast.Constant(first + k), call) for k in range(len(parts[0]))]
        parts = [[*counted], parts[0]]
    items = [one for one in parts if one is not None]
    if len(items) < len(parts) or len({*map(len, items)}) > 1:
        return None
    return [
        ast.copy_location(ast.Tuple([syntax.copied(one) for one in row], ast.Load()), call)
        for row in zip(*items, strict=True)
    ]


def _is_written_out(node: ast.expr) -> bool:
    """Whether an item is a number, or a tuple of such."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_written_out, node.elts))
    return is_number(node)


def worked_out(node: ast.expr) -> int | float | None:
    """The number that an expression of numbers is: ``4 / 9``; None for any other expression.

    Powers and shifts are left out: their results may be of any length.
    """
    allowed = ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.Load
    for child in ast.walk(node):
        if isinstance(child, ast.Constant):
            if type(child.value) not in (int, float):
                return None
        elif not isinstance(child, allowed) or isinstance(child, ast.Pow | ast.LShift):
            return None
    try:
        value = eval(ast.unparse(node), {"__builtins__": {}})
    except (ArithmeticError, TypeError):
        return None
    return value if type(value) in (int, float) else None


def spelled_out(call: ast.Call, facts: Mapping[str, Fact]) -> float | None:
    """The number that ``float("inf")`` is; None for any other call."""
    argument = call.args[0] if len(call.args) == 1 and not call.keywords else None
    if not isinstance(argument, ast.Constant) or not isinstance(argument.value, str):
        return None
    if function_path(call.func, facts) != "builtins.float":
        return None
    try:
        return float(argument.value)
    except ValueError:
        return None


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
