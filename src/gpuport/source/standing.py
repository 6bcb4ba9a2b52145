"""Where a statement stands in a function: what has a value there, and what is read after it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.source.carried import bound_names, own_names, surely_bound
from gpuport.source.syntax import DEFINITIONS, walk

_PLAIN = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Return, ast.Assert)
_MAYBE = (
    ast.IfExp,
    ast.BoolOp,
    ast.Lambda,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)


def way_to(function: ast.AST, node: ast.stmt) -> Iterator[tuple[list[ast.stmt], int]]:
    """The blocks around a statement, the outermost first, with the place of what holds it."""
    block: list[ast.stmt] = getattr(function, "body", [])
    while True:
        at = next((k for k, one in enumerate(block) if any(p is node for p in walk(one))), None)
        if at is None:
            return
        yield block, at
        holder = block[at]
        if holder is node:
            return
        parts = [getattr(holder, name, []) for name in ("body", "orelse", "finalbody")]
        parts += [one.body for name in ("handlers", "cases") for one in getattr(holder, name, ())]
        block = next((p for p in parts if any(x is node for one in p for x in walk(one))), [])


def bound_before(function: ast.AST, node: ast.stmt) -> frozenset[str]:
    """Names that have a value wherever a statement is reached."""
    arguments = getattr(function, "args", None)
    given = walk(arguments) if arguments is not None else []
    found = {one.arg for one in given if isinstance(one, ast.arg)}
    for block, at in way_to(function, node):
        found |= surely_bound(
            [one for one in block[:at] if not isinstance(one, tuple(DEFINITIONS))]
        )
        holder = block[at]
        if holder is not node and isinstance(holder, ast.For):
            found |= bound_names([holder.target]).keys()
    return frozenset(found)


def wanted_after(function: ast.AST, node: ast.stmt) -> frozenset[str]:
    """Names that are read after a statement whatever comes."""
    found: set[str] = set()
    for block, at in reversed(list(way_to(function, node))):
        for one in block[at + 1 :]:
            plain = isinstance(one, _PLAIN)
            found |= _surely_read(
                one if plain else getattr(one, "test", None) or getattr(one, "iter", None)
            )
            if not plain or isinstance(one, ast.Return):
                return frozenset(found)
        if isinstance(block[at], (ast.For, ast.While)) and block[at] is not node:
            break
    return frozenset(found)


def _surely_read(node: ast.AST | None) -> set[str]:
    found: set[str] = set()
    waiting = [] if node is None else [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
            found.add(one.id)
        if not isinstance(one, _MAYBE):
            waiting += ast.iter_child_nodes(one)
    return found


def read_outside(function: ast.AST, node: ast.AST) -> frozenset[str]:
    """Names that a function reads anywhere but in one of its statements."""
    inside = {id(part) for part in walk(node)}
    return frozenset(
        name.id for name in own_names(function)
        if id(name) not in inside and isinstance(name.ctx, ast.Load)
    )  # fmt: skip


def is_caught(function: ast.AST, node: ast.stmt) -> bool:
    """Whether a statement stands where what it raises may be caught, or comes by other code."""
    holders = [block[at] for block, at in way_to(function, node)]
    return any(isinstance(one, (ast.Try, ast.TryStar, ast.With)) for one in holders)


def shared_names(function: ast.AST) -> frozenset[str]:
    """Names of a function that other code may bind."""
    named = (one.names for one in walk(function) if isinstance(one, (ast.Global, ast.Nonlocal)))
    return frozenset(name for names in named for name in names)


__all__ = ["bound_before", "is_caught", "read_outside", "shared_names", "wanted_after", "way_to"]
