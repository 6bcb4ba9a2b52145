"""Vectors that are worked out step by step under one name: ``d = x[i] - x[j]; d -= box * f(d)``.

Each step gets a name of its own, so that each name means one thing.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.loops.names import Fresh, Renamed, blocks, dotted, mentions, walk
from gpuport.loops.parts.parts import Parts, operation
from gpuport.source import syntax

Loop = ast.For | ast.While

_FRESH = (None, "float64")
"""Dtypes of rows of which what is computed has the type that is stored in it afterwards."""


def named_apart(loop: Loop, parts: Parts, live: frozenset[str], fresh: Fresh) -> None:
    """Give the steps of a vector names of their own, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    parts : Parts
    live : frozenset of str
        Names that something reads after the loop: they are left alone.
    fresh : Fresh
    """
    for block in blocks(loop):
        for name in dict.fromkeys(_bound(one) for one in block):
            if name is not None and name not in live and _steps(loop, block, name, parts):
                _rename(block, name, fresh)


def _bound(statement: ast.stmt) -> str | None:
    """The name that a statement binds, or changes in place."""
    target: ast.expr | None = None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
    elif isinstance(statement, ast.AugAssign):
        target = statement.target
    return target.id if isinstance(target, ast.Name) else None


def _steps(loop: Loop, block: Sequence[ast.stmt], name: str, parts: Parts) -> bool:
    """Whether a block makes a vector under a name, and then others of it, and no one else does."""
    steps = [one for one in block if _bound(one) == name]
    first = steps[0]
    if len(steps) < 2 or not isinstance(first, ast.Assign) or mentions([first.value], name):
        return False
    following = block[block.index(first) :]
    stores = sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for n in walk([loop])
    )
    if stores != len(steps) or mentions(following, name) != mentions([loop], name):
        return False
    if any(_stores_into(n, name) for n in walk(following)) or _is_kept(following, name):
        return False
    changed = any(isinstance(one, ast.AugAssign) for one in steps)
    return _is_vector(first.value, parts, changed=changed) and not any(
        isinstance(n, ast.Compare | ast.IfExp) for one in steps for n in walk([one])
    )


def _is_vector(value: ast.expr, parts: Parts, *, changed: bool) -> bool:
    """Whether an expression computes with rows: what it gives is new, and may be changed."""
    made = operation(value, parts, None)
    if made is None or not any(map(parts.is_part, made.parts)):
        # Of numbers, the steps are no vectors: they stay as they are.
        return False
    if not changed:
        return True
    computed = isinstance(value, ast.BinOp | ast.UnaryOp | ast.Call)
    return computed and all(parts.dtype(part) in _FRESH for part in made.parts.values())


def _stores_into(node: ast.AST, name: str) -> bool:
    if not isinstance(node, ast.Subscript) or isinstance(node.ctx, ast.Load):
        return False
    base: ast.expr = node
    while isinstance(base, ast.Subscript):
        base = base.value
    return dotted(base) == name


def _is_kept(statements: Sequence[ast.stmt], name: str) -> bool:
    """Whether another name comes to stand for the vector, or for a part of it: ``e = d``."""
    for node in walk(statements):
        if isinstance(node, ast.Assign | ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            value = node.value
            while isinstance(value, ast.Subscript | ast.Attribute):
                value = value.value
            if isinstance(value, ast.Name) and value.id == name:
                return True
    return False


def _rename(block: list[ast.stmt], name: str, fresh: Fresh) -> None:
    """Write a new name from each step on."""
    now = name
    for at, one in enumerate(block):
        if _bound(one) != name:
            block[at] = Renamed(name, now).visit(one)
            continue
        step = fresh.name(name)
        assert isinstance(one, ast.Assign | ast.AugAssign)
        value = Renamed(name, now).visit(syntax.copied(one.value))
        if isinstance(one, ast.AugAssign):
            before = ast.copy_location(ast.Name(now, ast.Load()), one.target)
            value = ast.copy_location(ast.BinOp(before, one.op, value), one)
        target = one.target if isinstance(one, ast.AugAssign) else one.targets[0]
        made = ast.Assign([ast.copy_location(ast.Name(step, ast.Store()), target)], value)
        block[at] = ast.copy_location(made, one)
        now = step


__all__ = ["named_apart"]
