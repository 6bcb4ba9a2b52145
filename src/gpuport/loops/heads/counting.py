"""Loops that count: ``while`` with a counter as ``for``, and what counters hold afterwards."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import Fresh, constant_int, loaded, stored, trips_text, walk


@dataclass(frozen=True)
class Counter:
    """A counting ``while`` that became a ``for``: its variable outlives it with a known value.

    Attributes
    ----------
    variable : str
    final : str
        Python expression over names bound before the loop.
    """

    variable: str
    final: str


def counted_name(node: ast.While) -> str | None:
    """The variable on the left of a ``while``'s comparison."""
    test = node.test
    if isinstance(test, ast.Compare) and isinstance(test.left, ast.Name):
        return test.left.id
    return None


def counting(
    node: ast.While, start: ast.expr | None, fresh: Fresh
) -> tuple[ast.For, Counter] | None:
    """``while k < n: ...; k += c`` as a ``for``, and what ``k`` is after it; None for others.

    Where the start is not known, it is what ``k`` holds, and the loop's own variable gets a new
    name.
    """
    test = node.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or node.orelse or not node.body:
        return None
    if not isinstance(test.left, ast.Name):
        return None
    name, bound = test.left.id, test.comparators[0]
    step = increment(node.body[-1], name)
    body = node.body[:-1]
    if not step or not body or name in stored(body) or leaves(body):
        return None
    upward = {ast.Lt: "", ast.LtE: " + 1"}
    downward = {ast.Gt: "", ast.GtE: " - 1"}
    shift = (upward if step > 0 else downward).get(type(test.ops[0]))
    fixed = not any(
        isinstance(child, ast.Call | ast.Subscript) and not _extent(child)
        for child in ast.walk(bound)
    )
    if shift is None or not fixed or loaded([bound]) & stored(node.body):
        return None
    stop = f"{_operand(bound)}{shift}" if shift else ast.unparse(bound)
    first = ast.unparse(start) if start is not None else name
    call = parse(f"range({first}, {stop}, {step})", node.test)
    local = name
    if start is None:
        local = fresh.name(name)
        for child in walk(body):
            if isinstance(child, ast.Name) and child.id == name:
                child.id = local
    made = ast.For(ast.copy_location(ast.Name(local, ast.Store()), test.left), call, body, [])
    final = counted(first, step, call)
    return ast.copy_location(made, node), Counter(name, final)


def nonempty(loop: ast.For) -> str:
    """Python text that is true where a plain loop has any iteration."""
    assert isinstance(loop.iter, ast.Call)
    start, stop, step = loop.iter.args
    amount = constant_int(step)
    if amount is None:
        return f"{trips_text(loop.iter)} > 0"
    return f"{ast.unparse(stop)} {'>' if amount > 0 else '<'} {ast.unparse(start)}"


def counted(first: str, step: int, iterated: ast.expr) -> str:
    """Python text for what a counter holds after a loop."""
    once = trips_text(iterated)
    trips = once if step == 1 else f"{step} * {once}"
    return trips if first == "0" else f"{first} + {trips}"


def _operand(node: ast.expr) -> str:
    text = ast.unparse(node)
    return (
        text
        if isinstance(node, ast.Name | ast.Constant | ast.Call | ast.Attribute)
        else f"({text})"
    )


def _extent(node: ast.AST) -> bool:
    """Whether this is ``len(x)`` or ``x.shape[k]``."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "len"
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute)


def increment(node: ast.stmt, name: str) -> int | None:
    """The literal that a statement adds to a name."""
    target: ast.expr
    if isinstance(node, ast.AugAssign):
        target, value, operator = node.target, node.value, node.op
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        target, operator = node.targets[0], node.value.op
        left, value = node.value.left, node.value.right
        if len(node.targets) != 1 or not isinstance(left, ast.Name) or left.id != name:
            return None
    else:
        return None
    amount = constant_int(value)
    if not isinstance(target, ast.Name) or target.id != name or amount is None:
        return None
    if isinstance(operator, ast.Add):
        return amount
    return -amount if isinstance(operator, ast.Sub) else None


def leaves(
    body: Sequence[ast.stmt],
    kinds: tuple[type[ast.stmt], ...] = (ast.Break, ast.Continue),
) -> bool:
    """Whether a ``break`` or ``continue`` of this very loop stands in its body."""
    for statement in body:
        if isinstance(statement, kinds):
            return True
        if isinstance(statement, ast.If) and (
            leaves(statement.body, kinds) or leaves(statement.orelse, kinds)
        ):
            return True
        if isinstance(statement, ast.For | ast.While) and leaves(statement.orelse, kinds):
            return True
        if isinstance(statement, ast.Try | ast.With) and any(
            isinstance(child, kinds) for child in walk([statement])
        ):
            return True
    return False
