"""Complex numbers divided by zero or by what is not finite: what comes of one is fixed nowhere.

NumPy gives infinities or NaN by parts, CuPy scales by the divisor and gives NaN in both. A program
may make a number of the former (``exp(-inf + nan * 1j)`` is 0) and none of the latter.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.execution.calling import Bench
from gpuport.verify.execution.tolerance import Mask, numbers
from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.slots import Trial

_HOOK = "__gpuport_quotient__"
_NAMES = ("divide", "true_divide")
_OPERANDS = 2


class _Instrument(ast.NodeTransformer):
    """``x / y``, ``x /= y`` and ``np.divide(x, y)`` as calls that divide, and tell of what."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Div):
            return node
        return call_of(_HOOK, node, [ast.Constant("/"), node.left, node.right])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        # what stands on the left is read once more, which a call in it may count
        if not isinstance(node.op, ast.Div) or _calls(node.target):
            return node
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        node.value = call_of(_HOOK, node.value, [ast.Constant("/="), read, node.value])
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name not in _NAMES or len(node.args) < _OPERANDS or _unpacks(node):
            return node
        call = call_of(_HOOK, node, [node.func, *node.args])
        assert isinstance(call, ast.Call)
        call.keywords = node.keywords
        return call


def _divisor(value: Any, divisor: Any) -> Any:
    return divisor


_BY_SIGN: dict[str, Callable[..., Any]] = {"/": operator.truediv, "/=": _divisor}


def _calls(target: ast.expr) -> bool:
    return any(isinstance(part, ast.Call | ast.NamedExpr) for part in ast.walk(target))


def _unpacks(call: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in call.args)


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

    def hook(how: Any, value: Any, divisor: Any, *more: Any, **options: Any) -> Any:
        nonlocal found
        found = found or _is_open(value, divisor)
        divide = _BY_SIGN[how] if isinstance(how, str) else how
        return divide(value, divisor, *more, **options)

    with instrumented(bench.sides["original"], _Instrument, _HOOK, hook):
        bench.call("original", function, trial)
    return found


def _is_open(value: Any, divisor: Any) -> bool:
    if not any(isinstance(part, np.ndarray | np.generic) for part in (value, divisor)):
        return False  # Python's own numbers raise
    if not (_is_complex(value) or _is_complex(divisor)):
        return False
    by = np.asarray(divisor)
    if by.dtype.kind not in "iufcb":
        return False
    with np.errstate(all="ignore"):
        return bool((~np.isfinite(by) | (by == 0)).any())


def _is_complex(value: Any) -> bool:
    dtype = getattr(value, "dtype", None)
    return isinstance(value, complex) or getattr(dtype, "kind", "") == "c"
