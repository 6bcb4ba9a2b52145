"""Names that a function computes places from in its loops: ``k = d - i``, ``k = int(t / h)``."""

from __future__ import annotations

import ast
from collections import defaultdict
from dataclasses import dataclass

from gpuport.rules.numpynames import as_numpy
from gpuport.source.names import Scope
from gpuport.source.syntax import bound_in, inside

_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)

_CHOOSING = frozenset(("builtins.min", "builtins.max", "builtins.abs"))


def place_names(scope: Scope, giving: frozenset[str]) -> frozenset[str]:
    """Names that hold whole numbers wherever the function binds them, and that its loops bind.

    Counters of loops over ``range`` are not among them.

    Parameters
    ----------
    scope : Scope
    giving : frozenset of str
        Functions that give whole numbers, or places in an array.
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
        wholes = _Wholes(scope, giving, frozenset(found | scope.counted))
        kept = {name for name in found if all(map(wholes.are, given[name]))}
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


@dataclass(frozen=True, slots=True)
class _Wholes:
    """Tells whole numbers.

    Attributes
    ----------
    scope : Scope
    giving : frozenset of str
        Functions that give them.
    names : frozenset of str
        Names that hold them.
    """

    scope: Scope
    giving: frozenset[str]
    names: frozenset[str]

    def are(self, node: ast.expr) -> bool:
        """Whether an expression gives a whole number."""
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.Name):
            return node.id in self.names
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub) and self.are(node.operand)
        if isinstance(node, ast.IfExp):
            return self.are(node.body) and self.are(node.orelse)
        if isinstance(node, ast.BinOp):
            sides = node.left, node.right
            likely = isinstance(node.op, _WHOLE) and all(map(self.may_be, sides))
            return likely and any(map(self.are, sides))
        if isinstance(node, ast.Call):
            path = self.scope.resolve(node.func) or ""
            if path in _CHOOSING:
                return any(map(self.are, node.args)) and all(map(self.may_be, node.args))
            return as_numpy(path) in self.giving
        return False

    def may_be(self, node: ast.expr) -> bool:
        """Whether nothing in an operand tells that it is none: ``offset`` may well be."""
        if isinstance(node, ast.BinOp):
            sides = node.left, node.right
            return isinstance(node.op, _WHOLE) and all(map(self.may_be, sides))
        return isinstance(node, (ast.Attribute, ast.Subscript, ast.Name)) or self.are(node)


__all__ = ["place_names"]
