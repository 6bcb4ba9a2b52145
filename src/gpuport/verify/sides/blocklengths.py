"""Numbers that a text may cut long arrays into, or compare their lengths with.

``if len(x) > 500``, ``x[512:]``, ``(n + 1023) // 1024``, ``range(0, n, BLOCK)``: what such a line
does is seen only where arrays are longer than those usually drawn.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_SHORTEST, _LONGEST = 257, 5000  # shorter ones are drawn anyway
_CUTTING = frozenset({"range", "min", "max", "minimum", "maximum", "clip"})


def block_lengths(function: ast.AST, module: ast.AST) -> tuple[int, ...]:
    """Whole numbers in a function that lengths may be cut into or compared with, in order.

    Parameters
    ----------
    function : ast.AST
    module : ast.AST
        Its file: names bound there to a number stand for it.
    """
    known = {
        name: number
        for scope in (module, function)
        for node in (scope.body if hasattr(scope, "body") else ())
        for name, number in _bound(node)
    }
    found: dict[int, None] = {}
    for node in ast.walk(function):
        for part in (p for operand in _operands(node) for p in ast.walk(operand)):
            value = known.get(part.id) if isinstance(part, ast.Name) else _number(part)
            if value is not None and _SHORTEST <= value <= _LONGEST:
                found[value] = None
    return tuple(found)


def _bound(node: ast.AST) -> Iterator[tuple[str, int]]:
    if isinstance(node, ast.Assign):
        value = _number(node.value)
        names = (target.id for target in node.targets if isinstance(target, ast.Name))
        yield from ((name, value) for name in names if value is not None)


def _operands(node: ast.AST) -> list[ast.expr]:
    """What lengths are compared with, or cut into, by this node alone."""
    match node:
        case ast.Compare(left=left, comparators=others):
            return [left, *others]
        case ast.Slice(lower=lower, upper=upper, step=step):
            return [part for part in (lower, upper, step) if part is not None]
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), left=left, right=right):
            return [left, right]
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=given):
            return given if name in _CUTTING else []
    return []


def _number(node: ast.AST) -> int | None:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


__all__ = ["block_lengths"]
