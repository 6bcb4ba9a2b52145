"""Numbers that a function's text holds: near them it may branch."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_LITERALS = 24
_LARGEST = 1e12


def module_constants(tree: ast.Module) -> dict[str, float]:
    """Names that the module binds to plain numbers."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], _number(node.value)
            if isinstance(target, ast.Name) and value is not None:
                found[target.id] = value
    return found


def literals_of(scope: ast.AST, constants: Mapping[str, float]) -> tuple[float, ...]:
    """Numbers that a function's text holds, by themselves or by the name of a constant."""
    found: dict[float, None] = {}
    for node in ast.walk(scope):
        value = _number(node)
        if value is None and isinstance(node, ast.Name):
            value = constants.get(node.id)
        if value is not None and abs(value) <= _LARGEST:
            found[value] = None
    return tuple(found)[:_LITERALS]


def _number(node: ast.AST) -> float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = _number(node.operand)
        return None if inner is None else -inner
    value = node.value if isinstance(node, ast.Constant) else None
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if abs(value) <= _LARGEST else None
