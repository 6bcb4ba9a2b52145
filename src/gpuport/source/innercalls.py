"""Functions that a function defines for itself and calls in its loops alone."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from gpuport.source.syntax import children, walk

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_Definition = ast.FunctionDef | ast.Lambda


@lru_cache(maxsize=4)  # asked for each function of one around it
def called_in_loops(function: ast.AST) -> dict[int, str]:
    """Names of the functions defined at the top of another one, and bound once, that stand
    nowhere but in its loops and in functions of that kind; by node id.

    Parameters
    ----------
    function : ast.AST
    """
    if isinstance(function, ast.Module):
        return {}
    named = dict(_defined(function))
    own = list(_own(function))
    loops = [node for node in own if isinstance(node, ast.For | ast.While)]
    read = [n for n in walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    while True:
        allowed = {id(node) for loop in loops for node in walk(loop)}
        allowed |= {id(node) for one in named.values() for node in walk(one)}
        outside = {node.id for node in read if id(node) not in allowed}
        left = named.keys() & {node.id for node in read} - outside
        if left == named.keys():
            return {id(node): name for name, node in named.items()}
        named = {name: node for name, node in named.items() if name in left}


def _defined(function: ast.AST) -> Iterator[tuple[str, _Definition]]:
    bound = Counter(
        node.id for node in walk(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )  # fmt: skip
    bound.update(n.name for n in walk(function) if isinstance(n, ast.FunctionDef))
    for statement in getattr(function, "body", ()):
        name = ""
        made: ast.AST | None = None
        if isinstance(statement, ast.FunctionDef):
            name, made = statement.name, statement
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name, made = statement.targets[0].id, statement.value
        if bound[name] == 1 and isinstance(made, _Definition) and not _generates(made):
            yield name, made


def _generates(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Yield | ast.YieldFrom) for one in walk(node))


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function itself, and not in one inside of it."""
    waiting = list(children(function))
    while waiting:
        node = waiting.pop()
        if not isinstance(node, _SCOPES):
            yield node
            waiting += children(node)


__all__ = ["called_in_loops"]
