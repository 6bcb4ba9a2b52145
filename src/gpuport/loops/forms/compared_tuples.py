"""Comparisons of tuples, one pair at a time: ``(a, b) != (i, j)`` is ``a != i or b != j``."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.loops.facts import Fact
from gpuport.loops.names import function_path, stored, walk


def stored_as_tuples(node: ast.For | ast.While) -> None:
    """Write lists that are stored as tuples, in a copy of a loop: NumPy reads both alike."""
    for one in walk([node]):
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.List):
            nested = any(isinstance(e, ast.Starred | ast.List | ast.Tuple) for e in one.value.elts)
            if not nested and all(isinstance(place, ast.Subscript) for place in one.targets):
                made = ast.Tuple(one.value.elts, ast.Load())
                one.value = ast.copy_location(made, one.value)


_PLAIN = (
    ast.Constant, ast.Name, ast.UnaryOp, ast.BinOp, ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
_RAISING = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift, ast.MatMult)


def compared_apart(loop: ast.For | ast.While, facts: Mapping[str, Fact]) -> None:
    """Write comparisons of tuples in a loop as those of their items, in place.

    Where a later pair might raise, or two names might hold one NaN, which is equal to itself in a
    tuple alone, the comparison is left.
    """
    ranged = [
        node.target
        for node in walk([loop])
        if isinstance(node, ast.For)
        and isinstance(node.iter, ast.Call)
        and function_path(node.iter.func, facts) == "builtins.range"
    ]
    _Apart(stored(ranged)).visit(loop)


class _Apart(ast.NodeTransformer):
    def __init__(self, whole: set[str]) -> None:
        self.whole = whole

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        left, right = node.left, node.comparators[0]
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return node
        if not isinstance(left, ast.Tuple) or not isinstance(right, ast.Tuple):
            return node
        pairs = [*zip(left.elts, right.elts, strict=False)]
        same = len(pairs) == len(left.elts) == len(right.elts) > 1
        if not same or not all(map(_is_plain, [one for pair in pairs[1:] for one in pair])):
            return node
        if any(self._one_object(*pair) for pair in pairs):
            return node
        parts: list[ast.expr] = [ast.Compare(a, [node.ops[0]], [b]) for a, b in pairs]
        joined = ast.And() if isinstance(node.ops[0], ast.Eq) else ast.Or()
        return ast.fix_missing_locations(ast.copy_location(ast.BoolOp(joined, parts), node))

    def _one_object(self, left: ast.expr, right: ast.expr) -> bool:
        """Whether both may be one and the same number that is no whole one."""
        names = [one for one in (left, right) if isinstance(one, ast.Name)]
        return len(names) == 2 and not self.whole & {one.id for one in names}


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is made of names and numbers and raises nothing."""
    return all(isinstance(n, _PLAIN) and not isinstance(n, _RAISING) for n in ast.walk(node))
