"""What a test that holds says of the names in it: ``k < n`` that ``k`` is less than ``n``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE
}  # fmt: skip
_BELOW = {ast.Lt: 1, ast.LtE: 0}
_ABOVE = {ast.Gt: 1, ast.GtE: 0}


def limits(test: ast.expr) -> Iterator[tuple[ast.Name, ast.expr, bool, int]]:
    """Names that a test compares, and with what.

    Yields
    ------
    name, limit : expr
    above : bool
        Whether the limit is the least that the name is, and not the most.
    apart : int
        By how much whole numbers are at least apart.
    """
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        for one in test.values:
            yield from limits(one)
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    left, right, op = test.left, test.comparators[0], type(test.ops[0])
    for name, other, how in ((left, right, op), (right, left, _TURNED.get(op, op))):
        if isinstance(name, ast.Name) and how in _BELOW:
            yield name, other, False, _BELOW[how]
        elif isinstance(name, ast.Name) and how in _ABOVE:
            yield name, other, True, _ABOVE[how]


__all__ = ["limits"]
