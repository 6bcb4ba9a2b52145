"""Islands of one expression whose operands are written out in it: no launch is worth them.

A guess at costs, never a claim: what is not written there counts as much.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.analysis.interpretation.flows import Operation
from gpuport.analysis.interpretation.unit import Unit
from gpuport.cost.smallness import MOST
from gpuport.rules.numpynames import as_numpy

_LONGEST = 32
"""The largest whole number that may be the side of a square of few elements."""

_GROWING = (ast.Mult, ast.Pow, ast.LShift)


def little_work(unit: Unit, work: Sequence[Operation]) -> ast.expr | None:
    """The one expression that operations are, on what is written out in it; else None.

    A list that a comprehension makes has as many items as the data say: each is little by itself,
    and so is joining them.
    """
    nodes = [one.node for one in work if isinstance(one.node, ast.expr)]
    if not nodes or len(nodes) < len(work):
        return None
    outer = min(nodes, key=lambda node: (_start(node), _negative(_end(node))))
    whole = _end(outer) >= max(map(_end, nodes))
    return outer if whole and _is_written_out(unit, outer) else None


def _start(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


def _negative(place: tuple[int, int]) -> tuple[int, int]:
    return -place[0], -place[1]


def _is_written_out(unit: Unit, node: ast.expr) -> bool:
    """Whether an expression has few elements by its text alone."""
    if isinstance(node, ast.Constant):
        return type(node.value) is not int or abs(node.value) <= _LONGEST
    if isinstance(node, ast.UnaryOp):
        return _is_written_out(unit, node.operand)
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
        grows = isinstance(node.op, _GROWING) and all(isinstance(e, ast.Constant) for e in sides)
        return not grows and all(_is_written_out(unit, side) for side in sides)
    if isinstance(node, (ast.List, ast.Tuple)):
        return _count(node) <= MOST and all(_is_written_out(unit, e) for e in node.elts)
    if isinstance(node, (ast.ListComp, ast.Starred)):
        return _is_written_out(unit, node.elt if isinstance(node, ast.ListComp) else node.value)
    if isinstance(node, ast.Attribute):
        return _is_constant(unit, node) or (node.attr == "T" and _is_written_out(unit, node.value))
    return isinstance(node, ast.Call) and _of_call(unit, node)


def _of_call(unit: Unit, node: ast.Call) -> bool:
    path, function = unit.scope.resolve(node.func), node.func
    given = [*node.args, *(one.value for one in node.keywords if one.arg != "dtype")]
    if path is None and isinstance(function, ast.Attribute):  # a method
        given.append(function.value)
    elif path is None or not as_numpy(path).startswith("numpy."):
        return False
    return all(_is_written_out(unit, one) for one in given)


def _is_constant(unit: Unit, node: ast.Attribute) -> bool:
    """``np.nan``, ``math.pi``."""
    path = as_numpy(unit.scope.resolve(node) or "")
    entry = unit.knowledge.tables.entry(path)
    return path.startswith("math.") or (entry is not None and entry.kind == "constant")


def _count(node: ast.expr) -> int:
    """Items in a nested list as it is written, or the product of a shape if that is more."""
    if not isinstance(node, (ast.List, ast.Tuple)):
        return 1
    product = 1
    for one in node.elts:
        known = isinstance(one, ast.Constant) and type(one.value) is int
        product *= max(1, one.value) if known else 1  # type: ignore[attr-defined]
    return max(product if isinstance(node, ast.Tuple) else 1, sum(map(_count, node.elts)))


__all__ = ["little_work"]
