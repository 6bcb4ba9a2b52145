"""How many iterations the loops of a kernel's grid have, as Python text."""

from __future__ import annotations

import ast

from gpuport.loops.facts import ArrayFact
from gpuport.loops.names import constant_int, decided, dotted, range_text
from gpuport.loops.records import Axis, LoopPlan


def grid_size(plan: LoopPlan) -> str:
    """Python expression for the number of threads."""
    return " * ".join(axis_size(axis, plan) for axis in plan.grid)


def axis_size(axis: Axis, plan: LoopPlan) -> str:
    """Python expression for the number of iterations of a loop."""
    stop = _parsed(axis.stop)
    plain = (axis.start, axis.step) == ("0", "1")
    if plain and (_is_length(stop, plan) or (constant_int(stop) or -1) >= 0):
        return axis.stop
    return f"max({axis.stop}, 0)" if plain else _length(axis)


def _length(axis: Axis) -> str:
    call = _parsed(f"range({axis.start}, {axis.stop}, {axis.step})")
    return decided(f"len({range_text(call)})")


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _is_length(node: ast.expr, plan: LoopPlan) -> bool:
    if isinstance(node, ast.Call):
        return dotted(node.func) == "len"
    if isinstance(node, ast.Subscript):
        return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"
    if isinstance(node, ast.Attribute):
        return node.attr == "size"
    facts = [f for f in plan.nest.facts.values() if isinstance(f, ArrayFact)]
    return any(dotted(node) in (f.shape or ()) for f in facts)
