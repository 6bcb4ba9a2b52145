"""Code at module level: what runs, and which names others may read."""

from __future__ import annotations

import ast

from gpuport.analysis.graph import Reason
from gpuport.analysis.unit import Unit
from gpuport.source.names import Scope, walk_scopes


def pin_shared(root: Scope, unit: Unit) -> None:
    """Module names that functions read, or that other modules may import, stay NumPy."""
    shared = _names_in_functions(root)
    script = any(runs(s) for s in unit.module.tree.body)
    guarded = {id(n) for s in unit.module.tree.body if is_main_guard(s) for n in ast.walk(s)}
    for (kind, key), node in unit.nodes.items():
        if kind != "name":
            continue
        if node.label in shared or not (script or key in guarded):
            unit.graph.pin(
                node,
                Reason("GP405", f"`{node.label}` is a module-level name that other code may "
                       "read; it stays a NumPy array", unit.node),
            )  # fmt: skip


def _names_in_functions(root: Scope) -> frozenset[str]:
    names: set[str] = set()
    for scope in walk_scopes(root):
        if scope is root:
            continue
        names.update(name for name in scope.loads if not scope.binds(name))
    return frozenset(names)


def is_main_guard(node: ast.stmt) -> bool:
    """Whether a statement is ``if __name__ == "__main__":``."""
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.left, ast.Name)
        and node.test.left.id == "__name__"
    )


def runs(node: ast.stmt) -> bool:
    """Whether a module-level statement shows that the file is run, not imported."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, (ast.For, ast.While)) or (
        isinstance(node, ast.With) and not isinstance(node, ast.If)
    )


def is_simple(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Assign, ast.AnnAssign))
