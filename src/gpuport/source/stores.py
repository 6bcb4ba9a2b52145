"""What the text of ``x[places] = values`` says of the places and the values."""

from __future__ import annotations

import ast


def changes_in_place(statement: ast.AST | None) -> bool:
    """Whether a statement is ``x += y`` or the like."""
    return isinstance(statement, ast.AugAssign)


def assigns_alone(statement: ast.AST | None, target: ast.AST) -> bool:
    """Whether a statement is ``target = value``, without any other target."""
    return isinstance(statement, ast.Assign) and statement.targets == [target]


def are_alike(first: ast.AST, second: ast.AST) -> bool:
    """Whether two expressions are written alike."""
    return ast.dump(first) == ast.dump(second)


def whole_if_it_is(array: ast.expr, stored: ast.expr) -> bool:
    """Whether an array of integers would get what it can hold: sums and products of its own."""
    own = ast.dump(array)
    if isinstance(stored, ast.BinOp):
        parts = [stored.left, stored.right]
        return isinstance(stored.op, _WHOLE) and all(whole_if_it_is(array, p) for p in parts)
    if isinstance(stored, ast.Constant):
        return isinstance(stored.value, int)
    return ast.dump(stored.value if isinstance(stored, ast.Subscript) else stored) == own


_WHOLE = (ast.Add, ast.Sub, ast.Mult)
