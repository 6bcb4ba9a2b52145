"""What conditions say of names that may be None."""

from __future__ import annotations

import ast


def not_none(test: ast.expr, *, holds: bool) -> frozenset[str]:
    """Names that are not None where a condition holds, or where it does not."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return not_none(test.operand, holds=not holds)
    if isinstance(test, ast.BoolOp):
        if isinstance(test.op, ast.And) is not holds:
            return frozenset()
        return frozenset().union(*(not_none(value, holds=holds) for value in test.values))
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return frozenset()
    other = test.comparators[0]
    if not isinstance(test.left, ast.Name) or not isinstance(other, ast.Constant):
        return frozenset()
    wanted = ast.IsNot if holds else ast.Is
    if other.value is not None or not isinstance(test.ops[0], wanted):
        return frozenset()
    return frozenset((test.left.id,))


__all__ = ["not_none"]
