"""Operations that are written in another way on the device, so that they give what NumPy gives."""

from __future__ import annotations

import ast

from gpuport.analysis.functions.outsidecalls import stays_outside
from gpuport.analysis.interpretation.flows import Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import Value
from gpuport.rules.model import DiffersRule
from gpuport.source.stores import ASIDE, LOCAL, adds, is_repeatable, is_sum, operands, places_of
from gpuport.source.syntax import walk

HELP = (
    "two operands alone are ported: `x[i] = x[i] % y` for `x[i] %= y`, no `out`, no comment between"
)
"""What the user can do where an operation cannot be written so."""


def write_instead(
    unit: Unit, node: ast.AST, graph_node: Node, rule: DiffersRule, values: tuple[Value, ...]
) -> bool:
    """Remember that a function stands for an operation on the device.

    Parameters
    ----------
    unit : Unit
    node : ast.AST
        An operator, or a call.
    graph_node : Node
    rule : DiffersRule
        One that names the function.
    values : tuple of Value
        The operands.

    Returns
    -------
    bool
        False where the operation cannot be written so.
    """
    form = None if unit.frozen_text else _form(unit, node, rule, values)
    if form is None or rule.instead is None:
        return False
    unit.work.rewrites[form, id(node)] = Rewrite(form, node, graph_node, rule.instead)
    return True


def _form(unit: Unit, node: ast.AST, rule: DiffersRule, values: tuple[Value, ...]) -> str | None:
    """How the function is written in the operation's place; None where it cannot be."""
    if rule.takes:
        return "renamed" if isinstance(node, ast.Call) and _takes(unit, node, rule.takes) else None
    if _stores_at(unit, node):
        return None if _has_comment(unit, node) else "stored"
    return "instead" if _fits(unit, node, values) and not _has_comment(unit, node) else None


def _takes(unit: Unit, node: ast.Call, parameters: tuple[str, ...]) -> bool:
    """Whether a function of these parameters can be called as this one is."""
    operation = unit.work.operations.get(id(node))
    if operation is None or operation.function is None:
        return False
    if any(isinstance(one, ast.Starred) for one in node.args):
        return False
    named = [one.arg for one in node.keywords]
    return len(node.args) <= len(parameters) and set(named) <= set(parameters)


def is_store_at(unit: Unit, target: ast.Subscript) -> bool:
    """Whether the statement is ``target = values`` or ``+=``, and can be handed to a function."""
    node = unit.statement
    written = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return written is target and _stores_at(unit, node)


def write_store(unit: Unit, target: ast.Subscript, graph_node: Node, name: str) -> bool:
    """Have a function store ``target = value`` on the device; False where it cannot be."""
    node = unit.statement
    alone = isinstance(node, ast.Assign) and is_store_at(unit, target)
    if not alone or node is None or unit.frozen_text or _has_comment(unit, node):
        return False
    unit.work.rewrites["stored", id(node)] = Rewrite("stored", node, graph_node, name)
    return True


def _stores_at(unit: Unit, node: ast.AST | None) -> bool:
    if unit.in_stacked:
        return is_sum(node)
    if adds(node):
        return not any(isinstance(one, ast.Starred) for one in places_of(node.target))
    if not isinstance(node, ast.Assign):
        return False
    target = node.targets[0]
    if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
        return False
    starred = any(isinstance(one, ast.Starred) for one in places_of(target))
    return not starred and _in_any_order(unit, target, node.value)


def _in_any_order(unit: Unit, target: ast.Subscript, value: ast.expr) -> bool:
    """Whether the places may be worked out before what is stored there."""
    if all(isinstance(part, LOCAL) for part in walk(target)):
        names = (part.id for part in walk(target) if isinstance(part, ast.Name))
        return not unit.scope.outside.intersection(names)
    if any(isinstance(part, ASIDE) for part in walk(value)):
        return False
    calls = [part for part in walk(value) if isinstance(part, ast.Call)]
    words = unit.knowledge.words
    if not all(stays_outside(words, unit.scope.resolve(call.func) or "") for call in calls):
        return False
    return not calls or not any(isinstance(part, ast.Call) for part in walk(target))


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
        return dtype.startswith("float") and is_repeatable(node.target)
    return is_repeatable(node.target)


def _has_comment(unit: Unit, node: ast.AST) -> bool:
    """Whether a comment stands between the operands, where it would be lost."""
    left, right = operands(node)
    start, end = unit.module.extent(left)[1], unit.module.extent(right)[0]
    return "#" in unit.module.text[start:end]


__all__ = ["HELP", "is_store_at", "write_instead", "write_store"]
