"""Names that a function computes places from in its loops: ``k = d - i``, ``k = int(t / h)``."""

from __future__ import annotations

import ast
from collections import defaultdict

from gpuport.analysis.numpynames import as_numpy
from gpuport.source.names import Scope
from gpuport.source.syntax import bound_in, inside

_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)

_PLACES = frozenset(
    (
        "builtins.int", "builtins.len", "numpy.searchsorted", "numpy.argmin", "numpy.argmax",
        "bisect.bisect", "bisect.bisect_left", "bisect.bisect_right", "math.floor", "math.ceil",
    )
)  # fmt: skip
"""Functions that give whole numbers, or places in an array."""

_CHOOSING = frozenset(("builtins.min", "builtins.max", "builtins.abs"))


def place_names(scope: Scope) -> frozenset[str]:
    """Names that hold whole numbers wherever the function binds them, and that its loops bind.

    Counters of loops over ``range`` are not among them.
    """
    given: dict[str, list[ast.expr]] = defaultdict(list)
    in_loops: set[str] = set()
    for node in inside(scope.node):
        if isinstance(node, (ast.For, ast.While)):
            in_loops.update(*(bound_in(one) for one in node.body))
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                _pair(target, node.value, given)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            left = ast.Name(node.target.id, ast.Load())
            given[node.target.id].append(ast.BinOp(left, node.op, node.value))
    found = {
        name for name in in_loops
        if given[name] and len(given[name]) == scope.bound.get(name, 0)
    }  # fmt: skip
    while True:
        whole = found | scope.counted
        kept = {n for n in found if all(_is_whole(value, whole, scope) for value in given[n])}
        if kept == found:
            return frozenset(found)
        found = kept


def _pair(target: ast.expr, value: ast.expr, given: dict[str, list[ast.expr]]) -> None:
    """``y, x = i + di, j + dj`` gives each of the names its value."""
    if isinstance(target, ast.Name):
        given[target.id].append(value)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, other in zip(target.elts, value.elts, strict=False):
            _pair(one, other, given)


def _is_whole(node: ast.expr, names: set[str], scope: Scope) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.USub) and _is_whole(node.operand, names, scope)
    if isinstance(node, ast.IfExp):
        return _is_whole(node.body, names, scope) and _is_whole(node.orelse, names, scope)
    if isinstance(node, ast.BinOp):
        sides = node.left, node.right
        other = all(_may_be_whole(one, names, scope) for one in sides)
        return isinstance(node.op, _WHOLE) and other and any(
            _is_whole(one, names, scope) for one in sides
        )  # fmt: skip
    if isinstance(node, ast.Call):
        path = scope.resolve(node.func) or ""
        if path in _CHOOSING:
            return any(_is_whole(one, names, scope) for one in node.args) and all(
                _may_be_whole(one, names, scope) for one in node.args
            )
        return as_numpy(path) in _PLACES
    return False


def _may_be_whole(node: ast.expr, names: set[str], scope: Scope) -> bool:
    """Whether nothing in an operand tells that it is none: a parameter ``offset`` may well be."""
    if isinstance(node, ast.BinOp):
        sides = node.left, node.right
        return isinstance(node.op, _WHOLE) and all(_may_be_whole(s, names, scope) for s in sides)
    plain = isinstance(node, (ast.Attribute, ast.Subscript, ast.Name))
    return plain or _is_whole(node, names, scope)


__all__ = ["place_names"]
