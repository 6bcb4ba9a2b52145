"""Whole numbers of which the text of a function shows that they are never negative."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache

from gpuport.source.bindings import Item, sources_of
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

_DEEPEST = 16
_KEEPING = (ast.Add, ast.Mult, ast.FloorDiv, ast.Pow, ast.LShift, ast.RShift)
"""Operators that give no negative number of whole numbers that are none."""
_LENGTHS = frozenset(("ndim",))


def never_negative(node: ast.expr | None, scope: Scope, counters: Collection[str]) -> bool:
    """Whether an expression is counted from 0 or more upwards, a length, or made of such numbers.

    Parameters
    ----------
    node : expr or None
    scope : Scope
        Of the function that it stands in.
    counters : collection of str
        What counts as ``range`` does, and gives arrays.
    """
    if node is None:
        return False
    counted = _Counted(scope, counters)
    return counted.is_counter(node) or counted.holds(node, 0)


class _Counted:
    def __init__(self, scope: Scope, counters: Collection[str]) -> None:
        self.scope = scope
        self.sources = sources_of(scope.code)
        self.given = _parameters(scope.code)
        self.counters = counters

    def holds(self, node: ast.expr, depth: int) -> bool:
        """Whether an expression is never negative."""
        if depth > _DEEPEST:
            return False
        if isinstance(node, ast.Constant):
            return type(node.value) is int and node.value >= 0
        if isinstance(node, ast.Name):
            bound = [] if node.id in self.given else self.sources.get(node.id, [])
            return bool(bound) and all(
                one is not None and self.holds(one, depth + 1) for one in bound
            )
        if isinstance(node, Item):
            return self._counts(node.of, depth + 1)
        if isinstance(node, ast.BinOp):
            sides = (node.left, node.right)
            return isinstance(node.op, _KEEPING) and all(self.holds(e, depth + 1) for e in sides)
        if isinstance(node, ast.Attribute):
            return node.attr in _LENGTHS
        if isinstance(node, ast.Subscript):
            return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
        return isinstance(node, ast.Call) and self._called(node, depth + 1)

    def _called(self, node: ast.Call, depth: int) -> bool:
        path = self.scope.resolve(node.func)
        if path == "builtins.len":
            return True
        if path == "builtins.max":
            return any(self.holds(one, depth) for one in node.args)
        few = path == "builtins.min" and len(node.args) > 1
        return few and all(self.holds(one, depth) for one in node.args)

    def is_counter(self, node: ast.expr) -> bool:
        """``np.arange(n)`` as it stands: under a name its elements may be changed."""
        called = isinstance(node, ast.Call) and self.scope.resolve(node.func) in self.counters
        return called and self._counts(node, 0)

    def _counts(self, node: ast.expr, depth: int) -> bool:
        """Whether what a loop goes over holds such numbers alone."""
        if depth > _DEEPEST:
            return False
        if isinstance(node, (ast.List, ast.Tuple)):
            return all(self.holds(one, depth + 1) for one in node.elts)
        if isinstance(node, ast.Name):
            bound = [] if node.id in self.given else self.sources.get(node.id, [])
            known = [one for one in bound if one is not None and self._is_range(one)]
            return len(bound) == len(known) == 1 and self._counts(known[0], depth + 1)
        if not isinstance(node, ast.Call) or node.keywords or not 0 < len(node.args) < 4:
            return False
        if not self._is_range(node) and self.scope.resolve(node.func) not in self.counters:
            return False
        if len(node.args) == 1:
            return True  # from 0 on
        start, stop, *step = node.args
        down = isinstance(step[0], ast.UnaryOp) if step else False
        if down:  # to what lies above the end
            return self._is_one_below(stop) or self.holds(stop, depth)
        return self.holds(start, depth) and all(self.holds(one, depth) for one in step)

    def _is_range(self, node: ast.expr) -> bool:
        """``range(n)``; what enumerate counts is written so as well."""
        called = isinstance(node, ast.Call)
        return called and self.scope.resolve(node.func) == "builtins.range"  # type: ignore[attr-defined]

    @staticmethod
    def _is_one_below(node: ast.expr) -> bool:
        negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        return negated and getattr(node.operand, "value", None) == 1  # type: ignore[attr-defined]


@lru_cache(maxsize=4)
def _parameters(function: ast.AST) -> frozenset[str]:
    """Parameters of a function and of those inside it."""
    return frozenset(one.arg for one in walk(function) if isinstance(one, ast.arg))


__all__ = ["never_negative"]
