"""Complex numbers divided by zero or by what is not finite: what comes of one is fixed nowhere.

NumPy gives infinities or NaN by parts, CuPy scales by the divisor and gives NaN in both. A program
may make a number of the former (``exp(-inf + nan * 1j)`` is 0) and none of the latter.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from gpuport.verify.execution import Bench
from gpuport.verify.instrument import call_of, instrumented
from gpuport.verify.observe import Observation
from gpuport.verify.slots import Trial
from gpuport.verify.tolerance import Mask, numbers

_HOOK = "__gpuport_quotient__"


class _Instrument(ast.NodeTransformer):
    """``x / y`` as a call that divides, and tells of what."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return call_of(_HOOK, node, [node.left, node.right])


def without_quotient(
    bench: Bench, function: str, trial: Trial, where: str, original: Observation, port: Observation
) -> Mask | None:
    """Elements of one part that are NaN in the port alone, where such a quotient is on the way.

    None where there are none.
    """
    a, b = numbers(where, original), numbers(where, port)
    if a is None or b is None or a.shape != b.shape:
        return None
    apart = np.isnan(b) & ~np.isnan(a)
    return apart if apart.any() and _divides(bench, function, trial) else None


def _divides(bench: Bench, function: str, trial: Trial) -> bool:
    found = False

    def hook(value: Any, divisor: Any) -> Any:
        nonlocal found
        quotient = value / divisor
        found = found or _is_open(quotient, divisor)
        return quotient

    with instrumented(bench.sides["original"], _Instrument, _HOOK, hook):
        bench.call("original", function, trial)
    return found


def _is_open(quotient: Any, divisor: Any) -> bool:
    numeric = isinstance(quotient, np.ndarray | np.generic) and quotient.dtype.kind == "c"
    if not numeric:
        return False
    by = np.asarray(divisor)
    if by.dtype.kind not in "iufcb":
        return False
    with np.errstate(all="ignore"):
        return bool((~np.isfinite(by) | (by == 0)).any())
