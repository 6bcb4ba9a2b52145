"""What can only be decided once the whole body of a function has been read.

Elements that a function returns of an array which ends with it.

``v = np.sin(x); v += 1; return v[0]``: NumPy copies the element and CuPy gives a view of ``v``, to
which nothing writes any more.
"""

from __future__ import annotations

import ast

from gpuport.analysis.differences import interleaving
from gpuport.analysis.differences.orders import settle
from gpuport.analysis.differences.shortlived import LATER, computes, dies_unchanged
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason
from gpuport.source.syntax import children, walk

_MEASURES = ("shape", "size", "ndim", "dtype")
"""Attributes that hold nothing of an array."""


def ends_with_function(unit: Unit, kept: ast.AST) -> bool:
    """Whether what is kept is an element that is returned, of an array that nothing else holds.

    Parameters
    ----------
    unit : Unit
    kept : ast.AST
        The element.
    """
    name = kept.value if isinstance(kept, ast.Subscript) else None
    if not isinstance(name, ast.Name) or not isinstance(unit.node, ast.FunctionDef):
        return False
    if unit.memory.made.get(name.id) is not True or name.id in unit.scope.outside:
        return False
    parts = [part for part in walk(unit.node) if part is not unit.node]
    if any(isinstance(part, LATER) for part in parts):
        return False
    parents = {id(child): part for part in walk(unit.node) for child in children(part)}
    mentions = (part for part in parts if isinstance(part, ast.Name) and part.id == name.id)
    return _is_returned(kept, parents) and all(_holds_nothing(unit, m, parents) for m in mentions)


def _is_returned(node: ast.AST, parents: dict[int, ast.AST]) -> bool:
    """Whether a part of a statement is what that returns, or one of its items."""
    above = parents[id(node)]
    while not isinstance(above, ast.Return):
        if not isinstance(above, (ast.Tuple, ast.List)):
            return False
        above = parents[id(above)]
    return True


def _holds_nothing(unit: Unit, name: ast.Name, parents: dict[int, ast.AST]) -> bool:
    """Whether nothing that outlives the function holds the array where it is mentioned."""
    above = parents[id(name)]
    if not isinstance(name.ctx, ast.Load):
        return isinstance(above, (ast.Assign, ast.AnnAssign, ast.AugAssign))
    node: ast.AST = name
    while isinstance(above, ast.Subscript) and above.value is node:
        if not isinstance(above.ctx, ast.Load):
            return True
        node, above = above, parents[id(above)]
    if node is not name and _is_returned(node, parents):
        return True
    while not isinstance(above, ast.stmt):
        if isinstance(above, (ast.BinOp, ast.Compare)):
            return True
        if isinstance(above, ast.Attribute) and above.attr in _MEASURES:
            return True
        if isinstance(above, ast.Call) and computes(unit, above):
            return True
        node, above = above, parents[id(above)]
    return getattr(above, "test", None) is node


def finish(unit: Unit) -> None:
    """Decide what of a unit stays on the host, once it is known what is written and when."""
    settle_elements(unit)
    _settle_lent(unit)


def _settle_taken(unit: Unit) -> None:
    """Numbers that loops take stay with their array where that is changed."""
    for numbers, array in unit.memory.taken:
        if array.root().mutated:
            unit.graph.unite(numbers, array)


def _settle_lent(unit: Unit) -> None:
    """Keep on the host what is read later and written meanwhile, or given by a caller."""
    for origin, line, reason in unit.memory.lent:
        root = origin.root()
        if root.mutated and any(at >= line for n, at in unit.memory.written if n.root() is root):
            unit.graph.pin(root, reason)
            unit.parameters.escaped |= root.parameters
        elif root.parameters:
            unit.graph.pin(root, Reason("GP402", reason.message, reason.node, "host-sink"))
            unit.parameters.lent |= root.parameters


def settle_elements(unit: Unit) -> None:
    """Elements and views that are not sure to be any: harmless unless their array is written."""
    _settle_taken(unit)
    memory = unit.memory
    asked = memory.reshaped or memory.ordered or memory.laid_out
    if asked or unit.project.program.asks_for_order(unit.node):
        settle(unit)
    interleaving.settle(unit)
    for (kind, _), rewrite in list(unit.work.rewrites.items()):
        if kind != "shared" or not rewrite.graph_node.root().mutated:
            continue
        if ends_with_function(unit, rewrite.node):
            continue
        if not dies_unchanged(unit, rewrite.node, rewrite.graph_node):
            unit.pin(
                rewrite.graph_node,
                "GP907",
                "may alias: an element of the array is kept here and the array is changed; NumPy "
                "copies elements, CuPy does not",
                rewrite.node,
                "may-alias",
                help="copy the element: `x[i].copy()`",
            )


__all__ = ["finish", "settle_elements"]
