"""Values that nothing keeps: what is computed where it is read, ``*(a - b).T``."""

from __future__ import annotations

import ast


def is_passing(node: ast.expr) -> bool:
    """Whether an expression is a result of an operation, or a part or a transpose of one."""
    while isinstance(node, ast.Subscript) or (isinstance(node, ast.Attribute) and node.attr == "T"):
        node = node.value
    return isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Call))


__all__ = ["is_passing"]
