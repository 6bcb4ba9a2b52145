"""From a loop nest to the way it runs on the device, or to the reason why it does not."""

from __future__ import annotations

import ast
from importlib.util import find_spec

from gpuport.loops.context.scalars import outermost_loops
from gpuport.loops.facts import LoopNest
from gpuport.loops.planning.planner import Planner
from gpuport.loops.reasons import NOT_INSTALLED, Refused
from gpuport.loops.records import LoopPlan, Refusal
from gpuport.loops.sets.budgets import exhausted

__all__ = ["exhausted", "plan", "plans", "region_plan"]

Loop = ast.For | ast.While


def plan(nest: LoopNest) -> LoopPlan | Refusal:
    """How a nest runs on the device: its outermost loop, or the first inner one that can.

    Parameters
    ----------
    nest : LoopNest

    Returns
    -------
    LoopPlan or Refusal
        The refusal is that of the outermost loop.
    """
    found = plans(nest)
    return next((one for one in found if isinstance(one, LoopPlan)), found[0])


def plans(nest: LoopNest) -> list[LoopPlan | Refusal]:
    """Plans for a nest whose outer loops may stay in Python around several launches.

    Returns
    -------
    list of LoopPlan or Refusal
        One plan where the outermost loop becomes a kernel. Otherwise the reason why it does not,
        followed by the results for the loops inside it; a loop with a reason of its own stands
        before those inside it.
    """
    missing = _without_isl(nest)
    if missing is not None:
        return [missing]
    return _plans(nest, nest.node, ())


def region_plan(nest: LoopNest, outer: tuple[Loop, ...] = ()) -> LoopPlan | Refusal:
    """The plan of the nest's own loop as one kernel; loops inside it are not tried alone.

    Parameters
    ----------
    nest : LoopNest
    outer : tuple of ast.For or ast.While
        The loops around it, which stay in Python.
    """
    missing = _without_isl(nest)
    if missing is not None:
        return missing
    try:
        return Planner(nest, nest.node, outer).plan()
    except Refused as refused:
        return refused.refusal()


def _without_isl(nest: LoopNest) -> Refusal | None:
    if find_spec("islpy") is not None:
        return None
    return Refusal(
        NOT_INSTALLED,
        "loops are analysed with islpy, which is not installed: `pip install islpy`",
        nest.node.lineno,
        nest.node.col_offset,
    )


def _plans(nest: LoopNest, node: Loop, outer: tuple[Loop, ...]) -> list[LoopPlan | Refusal]:
    try:
        return [Planner(nest, node, outer).plan()]
    except Refused as refused:
        found: list[LoopPlan | Refusal] = [refused.refusal()]
    for inner in outermost_loops(node):
        found += _plans(nest, inner, (*outer, node))
    return found
