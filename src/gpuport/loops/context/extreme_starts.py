"""What an extreme is before the loop, as far as the text tells."""

from __future__ import annotations

import ast

from gpuport.loops.cuda.values import dtype_bounds
from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.names import dotted, stored, subscript_indices
from gpuport.loops.records import LoopPlan
from gpuport.parallel.typing import Type


def within(plan: LoopPlan, name: str, type_: Type) -> bool:
    """Whether a whole number is certain to be one that a type holds, where the loop begins.

    A thread's share of an extreme begins with the last number that the type holds: what the loop
    began with may be beyond that, as -1 is for unsigned numbers, or ``-np.inf`` for all of them.
    """
    own = {begun for begun, _ in plan.begins} | ({plan.hit.variable} if plan.hit else set())
    if name in own:
        return True
    fact = plan.nest.facts.get(name)
    if isinstance(fact, ScalarFact) and fact.type == type_.dtype:
        return True
    known = fact.value if isinstance(fact, ScalarFact) else None
    value = _before(plan, name) if known is None else ast.Constant(known)
    if isinstance(value, ast.Subscript):
        array = plan.nest.facts.get(dotted(value.value) or "")
        indices = subscript_indices(value)
        if not isinstance(array, ArrayFact) or any(isinstance(i, ast.Slice) for i in indices):
            return False
        return array.dtype == type_.dtype and len(indices) in (array.rank, array.told)
    sign = -1 if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub) else 1
    literal = value.operand if isinstance(value, ast.UnaryOp) else value
    if not isinstance(literal, ast.Constant) or not isinstance(literal.value, int | float):
        return False
    low, high = dtype_bounds(type_.dtype)
    return low <= sign * literal.value <= high


def _before(plan: LoopPlan, name: str) -> ast.expr | None:
    """What a name is set to right before the loop."""
    for parent in ast.walk(plan.nest.function):
        for _, block in ast.iter_fields(parent):
            if not isinstance(block, list) or not any(node is plan.region for node in block):
                continue
            for node in reversed(block[: [n is plan.region for n in block].index(True)]):
                if name in stored([node]):
                    return _given(node, name)
    return None


def _given(node: ast.stmt, name: str) -> ast.expr | None:
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    target, value = node.targets[0], node.value
    if isinstance(target, ast.Name):
        return value
    if not isinstance(target, ast.Tuple) or not isinstance(value, ast.Tuple):
        return None
    for one, other in zip(target.elts, value.elts, strict=False):
        if isinstance(one, ast.Name) and one.id == name:
            return other
    return None
