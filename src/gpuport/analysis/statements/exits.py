"""Loops that end at their first hit: what they set there, and what they return."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.functions.returncases import cases_in
from gpuport.analysis.functions.returning import joined_return
from gpuport.analysis.interpretation.modulelevel import global_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import NONE, Number, Scalar, Tuple, Value
from gpuport.loops.facts import FunctionFact, ModuleFact, ScalarFact
from gpuport.source.syntax import inside

if TYPE_CHECKING:
    from gpuport.loops.records import LoopPlan


def not_shown_a_number(unit: Unit, plan: LoopPlan) -> str | None:
    """A name that may hold an array, among those of which a hit makes what is returned."""
    if plan.hit is None or not plan.hit.lines or not plan.hit.lines[-1].startswith("return"):
        return None
    for name in sorted(_operands(plan) - {plan.hit.variable}):
        if isinstance(plan.nest.facts.get(name), FunctionFact | ModuleFact | ScalarFact):
            continue
        known = name in unit.env or unit.scope.binds(name)
        flow = unit.env.get(name) if known else global_value(unit, name)
        if flow is None or not isinstance(flow.value, (Number, Scalar)):
            return name
    return None


def _operands(plan: LoopPlan) -> set[str]:
    """Names that the statements of a hit read, but for arrays of which they read elements."""
    found: set[str] = set()
    set_: set[str] = set()
    assert plan.hit is not None
    for line in plan.hit.lines:
        nodes = list(ast.walk(ast.parse(line)))
        arrays = {id(n.value) for n in nodes if isinstance(n, ast.Subscript)}
        for node in nodes:
            if isinstance(node, ast.Name) and id(node) not in arrays:
                (set_ if isinstance(node.ctx, ast.Store) else found).add(node.id)
    return found - set_ - {"cupy_"}


def returning_inside(unit: Unit, node: ast.For | ast.While) -> None:
    """Join what a loop returns, of numbers alone, with what else the function does."""
    for inner in inside(node):
        if isinstance(inner, ast.Return):
            unit.returned.case = cases_in(unit.project, unit.node).of(inner)
            joined_return(unit, _value(inner.value))
            unit.returned.case = ()


def _value(node: ast.expr | None) -> Value:
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return NONE
    if isinstance(node, ast.Tuple):
        return Tuple(tuple(map(_value, node.elts)))
    return Scalar()
