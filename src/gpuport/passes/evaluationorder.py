"""Whether a part of an expression may be worked out before the others."""

from __future__ import annotations

import ast
from collections.abc import Collection

from gpuport.analysis.interpretation.unit import Unit
from gpuport.source.syntax import walk

_LATER = (
    ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.IfExp,
    ast.BoolOp, ast.Await, ast.Yield, ast.YieldFrom,
)  # fmt: skip
"""What evaluates its parts later, only sometimes, or does something between them."""


def may_come_first(unit: Unit, value: ast.expr, parts: Collection[ast.expr]) -> bool:
    """Whether parts of an expression can stand above it: the others do nothing but make values.

    Parameters
    ----------
    unit : Unit
    value : ast.expr
        The expression, all of which is evaluated once.
    parts : collection of ast.expr
        None of them within another one.
    """
    within = {id(node) for part in parts for node in walk(part)}
    around = (node for node in walk(value) if id(node) not in within)
    return all(_only_makes(unit, node, parts) for node in around)


def _only_makes(unit: Unit, node: ast.AST, parts: Collection[ast.expr]) -> bool:
    if isinstance(node, _LATER):
        return False
    if not isinstance(node, ast.Call) or any(inner in parts for inner in walk(node)):
        return True
    operation = unit.work.operations.get(id(node))
    path = operation.path if operation is not None else None
    if path is None or path.startswith("numpy.random"):
        return False
    effect = unit.knowledge.rules.effect(path)
    changed = set() if effect is None else set(effect.mutates)
    return changed <= {"out"} and not any(one.arg in ("out", None) for one in node.keywords)


__all__ = ["may_come_first"]
