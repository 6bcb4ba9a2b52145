"""What kinds of numbers a loop appends to a list: those of the array that NumPy makes of it."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.symbols import Magnitudes
from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.single import entered_where
from gpuport.loops.kernels.symbols import outside
from gpuport.loops.kernels.totals import sums
from gpuport.loops.names import dotted, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.loops.records import LoopPlan
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.ranges import Value


def with_kinds(
    plan: LoopPlan, body: Sequence[ast.stmt], magnitudes: Magnitudes, breadth: Breadth
) -> LoopPlan:
    """The plan with the dtypes of the arrays that stand for lists.

    Raises
    ------
    Refused
        Where it depends on data what NumPy makes of the list.
    """
    names = {one.name for one in plan.workspaces if one.collected}
    if not names:
        return plan
    found = outside(plan, body, magnitudes, breadth)
    flow = Flow(found.symbols, entered_where(plan) & set(plan.guards))
    DeviceFunctions(Names([]), magnitudes).attach(flow, found.symbols)
    sums(plan, body, flow, found.symbols, breadth=breadth)
    facts = dict(plan.nest.facts)
    for name in sorted(names):
        facts[name] = ArrayFact(_kind(name, body, flow), 1)
    return replace(plan, nest=replace(plan.nest, facts=facts))


def _kind(name: str, body: Sequence[ast.stmt], flow: Flow) -> str:
    """The dtype of all that is stored in an array."""
    stores = [
        node
        for node in walk(body)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Subscript)
        and dotted(node.targets[0].value) == name
    ]
    values: list[Value] = [flow.expressions.known(node.value) for node in stores]
    types = {one for value in values for one in value.types}
    dtypes = {one.dtype for one in types}
    if len(dtypes) != 1:
        shown = " or ".join(sorted(map(str, types)))
        message = (
            f"`{name}` gets items of type {shown}, and which of them there are tells what array "
            "NumPy makes of it: give it one kind, `float(...)`"
        )
        raise Refused(UNKNOWN_TYPE, stores[0], message)
    (dtype,) = dtypes
    return dtype
