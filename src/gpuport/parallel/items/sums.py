"""Names that every item of a loop adds to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.source.carried import own_names
from gpuport.source.stores import adds
from gpuport.source.syntax import walk


def added(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What a statement adds to a name: ``total += x``, ``total = total - x``."""
    if adds(node) and isinstance(node.target, ast.Name):
        if not isinstance(node.value, (ast.List, ast.Tuple)):
            yield node.target.id, node.value
        return
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return
    target, value = node.targets[0], node.value
    if not isinstance(target, ast.Name) or not isinstance(value, ast.BinOp):
        return
    if isinstance(value.op, (ast.Add, ast.Sub)) and _is(value.left, target.id):
        yield target.id, value.right
    elif isinstance(value.op, ast.Add) and _is(value.right, target.id):
        yield target.id, value.left


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def summed(loop: ast.AST, name: str) -> bool:
    """Whether a loop does nothing with a name but add to it."""
    own = 0
    for one in walk(loop):
        for target, value in added(one):
            if target == name:
                own += 1 if isinstance(one, ast.AugAssign) else 2
                if any(part.id == name for part in own_names(value)):
                    return False
    return own == sum(part.id == name for part in own_names(loop)) and own > 0


__all__ = ["added", "summed"]
