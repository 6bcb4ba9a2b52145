"""Names that functions and classes take from around them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.loops.names import loaded

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def free_names(scope: ast.AST) -> frozenset[str]:
    """Names that a function, a lambda or a class reads and does not bind itself.

    Parameters
    ----------
    scope : ast.AST
        One of `SCOPES`. What is evaluated where it is defined, its defaults and decorators, is
        not among its names.
    """
    reads, bound, declared = set[str](), set[str](), set[str]()
    for node in _own(scope):
        if isinstance(node, SCOPES):
            reads |= free_names(node) | loaded(evaluated_with(node))
            bound.add(getattr(node, "name", ""))
        elif isinstance(node, ast.Global | ast.Nonlocal):
            declared.update(node.names)
        elif isinstance(node, _COMPREHENSIONS):
            reads |= loaded([node])  # its variables are its own, and bind nothing here
        elif isinstance(node, ast.AugAssign):
            reads |= loaded([node.target])
        elif isinstance(node, ast.Name):
            (reads if isinstance(node.ctx, ast.Load) else bound).add(node.id)
    if isinstance(scope, ast.ClassDef):
        return frozenset(reads)  # a name that its body has not bound yet is that of the module
    arguments = ast.walk(scope.args)  # type: ignore[attr-defined]
    bound |= {one.arg for one in arguments if isinstance(one, ast.arg)}
    return frozenset(reads - (bound - declared))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a scope itself, those inside it as they are."""
    body = scope.body if isinstance(scope.body, list) else [scope.body]  # type: ignore[attr-defined]
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*SCOPES, *_COMPREHENSIONS)):
            waiting += ast.iter_child_nodes(node)


def evaluated_with(scope: ast.AST) -> Iterator[ast.AST]:
    """What of a definition is evaluated where it stands: decorators, defaults, annotations."""
    inner = scope.body if isinstance(scope.body, list) else [scope.body]  # type: ignore[attr-defined]
    yield from (one for one in ast.iter_child_nodes(scope) if one not in inner)
