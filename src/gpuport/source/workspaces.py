"""Arrays that are made once, and that each iteration of a loop fills before it reads them.

``a = np.ones((k, k))`` before the loop, ``a[:m, :m] = ...`` in it, then ``solve(a, b)``: what an
iteration reads there is its own, or what no iteration writes. Each may have an array to itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.source.syntax import children, walk

_READS = (ast.BinOp, ast.UnaryOp, ast.Compare)
"""What makes something new of an array."""


Workspaces = dict[str, ast.Name]
"""Workspaces of a loop, with a place where each is read."""


def workspaces(
    function: ast.AST, loop: ast.AST, makes_new: Callable[[ast.Call], bool]
) -> Workspaces:
    """The workspaces of a loop, with a place where each is read.

    Parameters
    ----------
    function : ast.AST
        Around the loop: nothing else of it may mention the array but what makes it, so that
        nobody sees what the last iteration leaves there.
    loop : ast.AST
        None has workspaces but a ``for``.
    makes_new : callable
        Whether a call keeps nothing of its arguments, and gives no view of them.

    Returns
    -------
    dict of str to ast.Name
    """
    if not isinstance(loop, ast.For):
        return {}
    bound = {n.id for n in walk(loop) if isinstance(n, ast.Name) and _binds(n)}
    filled = dict.fromkeys(
        target.value.id
        for statement in loop.body
        if (target := _filled(statement, bound)) is not None and isinstance(target.value, ast.Name)
    )
    found = {name: _read(name, loop, bound, makes_new) for name in filled}
    return {
        name: node
        for name, node in found.items()
        if node is not None and _is_made_for(name, function, loop, makes_new)
    }


def _binds(node: ast.Name) -> bool:
    return not isinstance(node.ctx, ast.Load)


def _filled(statement: ast.stmt, bound: set[str]) -> ast.Subscript | None:
    """What a statement stores in, if that is the same places in each iteration."""
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0]
    if not isinstance(target, ast.Subscript):
        return None
    inside = list(walk(target.slice))
    moves = any(isinstance(one, ast.Name) and one.id in bound for one in inside)
    plain = all(isinstance(one, _PLACES) for one in inside)
    return target if plain and not moves else None


_PLACES = (
    ast.Name, ast.Constant, ast.Slice, ast.Tuple, ast.BinOp, ast.UnaryOp, ast.operator,
    ast.unaryop, ast.expr_context,
)  # fmt: skip


def _read(
    name: str, loop: ast.For, bound: set[str], makes_new: Callable[[ast.Call], bool]
) -> ast.Name | None:
    """Where an array is read, if that is behind all stores, and makes something new of it."""
    first: ast.Name | None = None
    for statement in loop.body:
        target = _filled(statement, bound)
        own = target if target is not None and getattr(target.value, "id", "") == name else None
        parts = [statement] if own is None else [own.slice, statement.value]  # type: ignore[attr-defined]
        reads = [found for part in parts for found in _mentions(name, part)]
        if own is not None and (first is not None or reads):
            return None
        for _, parent in reads:
            called = isinstance(parent, ast.Call) and makes_new(parent)
            if not called and not isinstance(parent, _READS):
                return None
        first = first or next((node for node, _ in reads), None)
    return first


def _mentions(name: str, node: ast.AST) -> Iterator[tuple[ast.Name, ast.AST | None]]:
    """Where a name stands, and in what it, or a part of it, does."""
    if isinstance(node, ast.Name) and node.id == name:
        yield node, None
    part = node.value if isinstance(node, ast.Subscript) else None
    for child in children(node):
        for found, parent in _mentions(name, child):
            yield found, parent if parent is not None or child is part else node


def _is_made_for(
    name: str, function: ast.AST, loop: ast.For, makes_new: Callable[[ast.Call], bool]
) -> bool:
    """Whether one call makes the array anew, and nothing else around the loop mentions it."""
    inside = {id(one) for one in walk(loop)}
    others = [
        one
        for one in walk(function)
        if isinstance(one, ast.Name) and one.id == name and id(one) not in inside
    ]
    made = [
        one
        for one in walk(function)
        if isinstance(one, ast.Assign)
        and isinstance(one.value, ast.Call)
        and makes_new(one.value)
        and [getattr(target, "id", "") for target in one.targets] == [name]
    ]
    arguments = (one.arg for one in walk(function) if isinstance(one, ast.arg))
    return len(others) == len(made) == 1 and name not in set(arguments)


__all__ = ["Workspaces", "workspaces"]
