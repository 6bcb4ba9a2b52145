"""From a loop nest to the way it runs on the device, or to the reason why it does not."""

from __future__ import annotations

import ast
from importlib.util import find_spec

from gpuport.loops.facts import LoopNest
from gpuport.loops.planning.planner import Planner
from gpuport.loops.reasons import NOT_INSTALLED, Refused
from gpuport.loops.records import LoopPlan, Refusal
from gpuport.loops.sets.budgets import exhausted

__all__ = ["exhausted", "region_plan"]

Loop = ast.For | ast.While


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
