"""Functions that are written as ``name = lambda ...: ...``."""

from __future__ import annotations

import ast
from functools import lru_cache

from gpuport.source.names import Scope


@lru_cache(maxsize=64)  # what is known of a function is found again by its node
def as_function(name: str, node: ast.Lambda) -> ast.FunctionDef:
    """A lambda as the definition of a function."""
    body = ast.copy_location(ast.Return(node.body), node)
    made = ast.FunctionDef(name=name, args=node.args, body=[body], decorator_list=[])
    return ast.copy_location(made, node)


def lambda_named(statement: ast.stmt) -> tuple[str, ast.Lambda] | None:
    """The name that a statement gives to a lambda, and to nothing else."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Lambda):
        return None
    target = statement.targets[0]
    named = len(statement.targets) == 1 and isinstance(target, ast.Name)
    return (target.id, statement.value) if named else None  # type: ignore[attr-defined]


def scope_named(scope: Scope, name: str) -> Scope | None:
    """The scope of a lambda that takes a name at the top of a module or function.

    Parameters
    ----------
    scope : Scope
        Of the module or function.
    name : str
        A name that it binds once.
    """
    for statement in getattr(scope.node, "body", ()):
        found = lambda_named(statement)
        if found is not None and found[0] == name:
            return next((one for one in scope.children if one.node is found[1]), None)
    return None


__all__ = ["as_function", "lambda_named", "scope_named"]
