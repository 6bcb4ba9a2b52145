"""Whether each thread of a kernel sees one element of each array, under the array's own name."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.names import dotted, subscript_indices, walk
from gpuport.loops.records import LoopPlan


def is_single(plan: LoopPlan, body: Sequence[ast.stmt], symbols: Symbols) -> bool:
    """Whether every array is read and written at the grid's own indices alone, and in full.

    Such a kernel needs no subscripts: CuPy gives it ``x`` for ``x[i, j]``.
    """
    if not plan.elementwise or plan.snapshots or plan.atomics or not symbols.arrays:
        return False
    variables = [axis.variable for axis in plan.grid]
    if any((axis.start, axis.step) != ("0", "1") for axis in plan.grid):
        return False
    for node in walk(body):
        if isinstance(node, ast.Subscript) and dotted(node.value) in symbols.arrays:
            indices = [e.id if isinstance(e, ast.Name) else "" for e in subscript_indices(node)]
            if indices != variables:
                return False
        if isinstance(node, ast.expr) and symbols.length_of(node) is not None:
            return False
    return True
