"""Arrays that are made once, before a loop, and that nothing but its iterations reads or writes."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.source.syntax import walk

_SCOPES = (ast.Global, ast.Nonlocal)


def scratch_of(
    function: ast.AST, loop: ast.AST, is_empty: Callable[[ast.Call], bool]
) -> dict[str, ast.Call]:
    """The arrays of a loop that hold nothing before it, and of which nothing is read after it.

    ``window = np.empty(9)`` stands in the loop's own block, so that each time that the loop runs
    nothing is in it.

    Parameters
    ----------
    function : ast.AST
        Around the loop, which is in it.
    loop : ast.AST
    is_empty : callable
        Whether a call makes an array of which nobody says what it holds.
    """
    if not isinstance(function, ast.FunctionDef) or _declares(function):
        return {}
    block = next((one for one in _blocks(function) if any(s is loop for s in one)), [])
    at = next((k for k, statement in enumerate(block) if statement is loop), 0)
    made = dict(one for statement in block[:at] for one in _empty(statement, is_empty))
    within = {id(node) for node in walk(loop)}
    names = [node for node in walk(function) if isinstance(node, ast.Name) and node.id in made]
    others = [node.id for node in names if id(node) not in within]
    bound = {n.id for n in names if id(n) in within and not isinstance(n.ctx, ast.Load)}
    bound |= {n.arg for n in walk(function) if isinstance(n, ast.arg)}
    return {n: call for n, call in made.items() if others.count(n) == 1 and n not in bound}


def _declares(function: ast.FunctionDef) -> bool:
    """Whether names of it may be those of a scope around it, or of one inside."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    nodes = [node for node in walk(function) if node is not function]
    return any(isinstance(node, (*_SCOPES, *inner)) for node in nodes)


def _blocks(function: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements of a function."""
    for node in walk(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                yield block


def _empty(
    statement: ast.stmt, is_empty: Callable[[ast.Call], bool]
) -> Iterator[tuple[str, ast.Call]]:
    """``window = np.empty(9)``."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name) and isinstance(value, ast.Call) and is_empty(value):
            yield target.id, value


__all__ = ["scratch_of"]
