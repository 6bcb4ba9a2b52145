"""Names that every item of a loop adds to, or of which it keeps the least or greatest."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.parallel.items.records import Source
from gpuport.rules.stacking import stacking
from gpuport.source.carried import own_names
from gpuport.source.stores import adds
from gpuport.source.syntax import is_name, walk


def added(source: Source, node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a statement adds to a name: ``total += x``, ``total = total - x``.

    ``least = min(least, x)`` is such a statement, too.
    """
    if adds(node) and isinstance(node.target, ast.Name):
        if not isinstance(node.value, (ast.List, ast.Tuple)):
            yield node.target.id, node.value
        return
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target = node.targets[0]
    pair = _operands(source, node.value) if isinstance(target, ast.Name) else None
    if pair is None or not isinstance(target, ast.Name):
        return
    first, second, either = pair
    if is_name(first, target.id):
        yield target.id, second
    elif either and is_name(second, target.id):
        yield target.id, first


def _operands(source: Source, node: ast.expr) -> tuple[ast.expr, ast.expr, bool] | None:
    """What is added, or compared; and whether the second may be what grows."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return node.left, node.right, isinstance(node.op, ast.Add)
    if not isinstance(node, ast.Call) or len(node.args) != 2 or node.keywords:
        return None
    extreme = source.resolve(node.func) in stacking().extremes
    return (*node.args, True) if extreme else None  # type: ignore[return-value]


def summed(source: Source, loop: ast.AST, name: str) -> bool:
    """Whether a loop does nothing with a name but add to it."""
    own = 0
    for one in walk(loop):
        for target, value in added(source, one):
            if target == name:
                own += 1 if isinstance(one, ast.AugAssign) else 2
                if any(part.id == name for part in own_names(value)):
                    return False
    return own == sum(part.id == name for part in own_names(loop)) and own > 0


__all__ = ["added", "summed"]
