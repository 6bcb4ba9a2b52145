"""Operations that are written in another way on the device, so that they give what NumPy gives."""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.flows import Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Value
from gpuport.source.syntax import walk

HELP = (
    "two operands alone are ported: `x[i] = x[i] % y` for `x[i] %= y`, no `out`, no comment between"
)
"""What the user can do where an operation cannot be written so."""

_REPEATABLE = (
    ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.Slice, ast.Subscript, ast.BinOp,
    ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip
"""What may be evaluated twice where it stood once."""


def write_instead(
    unit: Unit, node: ast.AST, graph_node: Node, name: str, values: tuple[Value, ...]
) -> bool:
    """Remember that a function stands for an operation on the device.

    Parameters
    ----------
    unit : Unit
    node : ast.AST
        An operator, or a call.
    graph_node : Node
    name : str
        Resolved name of the function.
    values : tuple of Value
        The operands.

    Returns
    -------
    bool
        False where the operation cannot be written so.
    """
    summed = isinstance(node, ast.AugAssign) and is_sum(node)
    fits = summed or _fits(unit, node, values)
    if unit.frozen_text or not fits or _has_comment(unit, node):
        return False
    kind = "summed" if summed else "instead"
    unit.work.rewrites[kind, id(node)] = Rewrite(kind, node, graph_node, name)
    return True


def is_sum(node: ast.AugAssign) -> bool:
    """``x[places] += values``, where the places can be handed to a function."""
    index = getattr(node.target, "slice", None)
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return (
        isinstance(node.op, (ast.Add, ast.Sub))
        and (not isinstance(index, ast.Tuple) or len(parts) > 1)
        and all(isinstance(part, ast.expr) for part in parts)
        and not any(isinstance(part, (ast.Slice, ast.Starred, ast.Constant)) for part in parts)
    )


def _fits(unit: Unit, node: ast.AST, values: tuple[Value, ...]) -> bool:
    if isinstance(node, ast.BinOp):
        return True
    if isinstance(node, ast.Call):
        operation = unit.work.operations.get(id(node))
        named = operation is not None and operation.function is not None
        starred = any(isinstance(one, ast.Starred) for one in node.args)
        return named and len(node.args) == 2 and not node.keywords and not starred
    if not isinstance(node, ast.AugAssign):
        return False
    if isinstance(node.target, ast.Subscript):
        # What is stored is cast as any value is; `%=` would refuse what does not cast safely.
        dtype = getattr(values[0], "dtype", None) or ""
        return dtype.startswith("float") and _is_repeatable(node.target)
    return _is_repeatable(node.target)


def _is_repeatable(target: ast.expr) -> bool:
    return all(isinstance(part, _REPEATABLE) for part in walk(target))


def _has_comment(unit: Unit, node: ast.AST) -> bool:
    """Whether a comment stands between the operands, where it would be lost."""
    left, right = operands(node)
    start, end = unit.module.extent(left)[1], unit.module.extent(right)[0]
    return "#" in unit.module.text[start:end]


def operands(node: ast.AST) -> tuple[ast.expr, ast.expr]:
    """The two operands of an operator or a call."""
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    if isinstance(node, ast.AugAssign):
        return node.target, node.value
    assert isinstance(node, ast.Call)
    first, second = node.args
    return first, second


__all__ = ["HELP", "operands", "write_instead"]
