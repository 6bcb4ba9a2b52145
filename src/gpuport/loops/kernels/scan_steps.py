"""Whether a scan's term, made of several steps or of a step down, rounds and wraps as they did.

``s -= x[i]`` contributes ``-x[i]``, and ``s += x[i]; s -= y[i]`` contributes ``x[i] + -y[i]``. In
``s``, which may be wider, neither wraps; among int8 or unsigned numbers both do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.loops.carried import Scan
from gpuport.loops.context.breadth import Breadth
from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.functions import DeviceFunctions
from gpuport.loops.cuda.symbols import PHYSICAL
from gpuport.loops.kernels.symbols import outside
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.loops.records import LoopPlan
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.typing import Type
from gpuport.source.making import assigned


def check_steps(plan: LoopPlan, scan: Scan, type_: Type) -> None:
    """Refuse a term that is worked out in another type than the scanned number's.

    Raises
    ------
    Refused
    """
    made = list(_made(scan))
    if not made:
        return
    (axis,) = plan.grid
    kept = assigned(scan.variable, scan.term, scan.statement)
    body = [*plan.body[: plan.body.index(scan.statement)], kept]
    symbols = outside(plan, body, PHYSICAL, Breadth.NARROW).symbols
    flow = Flow(symbols)
    DeviceFunctions(Names()).attach(flow, symbols)
    flow.run_thread(body, {axis.variable: symbols.scalars[axis.variable]})
    for node in made:
        for one in flow.expressions.known(node).types:
            exact = isinstance(node, ast.UnaryOp) and one.kind in "fc"
            if not (one.weak or exact or one.dtype == type_.dtype):
                raise Refused(
                    UNKNOWN_TYPE,
                    scan.statement,
                    f"`{scan.array or scan.variable}` is {type_}, and what it is changed by is "
                    f"{one}, in which `{ast.unparse(node)}` may not be what it is in {type_}: "
                    f"give it that type, `np.{type_.dtype}(...)`",
                )


def _made(scan: Scan) -> Iterator[ast.UnaryOp | ast.BinOp]:
    """What of a term stands for several steps, or for one down, and is none of the user's.

    It stands where its operand does, or where the whole statement does.
    """
    for node in ast.walk(scan.term):
        if isinstance(node, ast.UnaryOp) and _place(node) == _place(node.operand):
            yield node
        if isinstance(node, ast.BinOp) and _place(node) == _place(scan.statement):
            yield node


def _place(node: ast.AST) -> tuple[int, int]:
    return getattr(node, "lineno", 0), getattr(node, "col_offset", -1)
