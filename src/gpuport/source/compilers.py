"""The functions of a module that compilers take."""

from __future__ import annotations

import ast
from collections.abc import Collection

from gpuport.source.names import Scope, walk_scopes


def given_to_compilers(root: Scope, compilers: Collection[str]) -> frozenset[str]:
    """Names of the functions that a module hands to Numba or its like."""
    found: set[str] = set()
    every = list(walk_scopes(root))
    named = {path for one in every for paths in one.imports.values() for path in paths}
    if not any(path.partition(".")[0] in compilers for path in named):
        return frozenset()
    for scope in every:
        for call in scope.calls:
            head = call.func
            while isinstance(head, ast.Call):
                head = head.func
            path = scope.resolve(head) or ""
            if path.partition(".")[0] in compilers:
                found.update(a.id for a in call.args if isinstance(a, ast.Name))
    return frozenset(found)


__all__ = ["given_to_compilers"]
