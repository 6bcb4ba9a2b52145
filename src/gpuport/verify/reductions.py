"""Sums and products of many terms, one ULP beside: their order is free, and so is their rounding.

A sum that by luck is rounded hardly at all, and does not move with its terms because they are so
much smaller, tells nothing of what another order may give.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.instrument import call_of, instrumented
from gpuport.verify.sides import Side

_HOOK = "__gpuport_reduced__"
_REDUCTIONS = frozenset(
    {
        *("sum", "mean", "prod", "std", "var", "dot", "vdot", "inner", "trace", "average", "norm"),
        *("nansum", "nanmean", "nanprod", "nanstd", "nanvar", "einsum", "matmul", "tensordot"),
        *("cumsum", "cumprod", "trapezoid", "trapz", "fsum"),
    }
)


class _Instrument(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        return call_of(_HOOK, node, [node]) if name in _REDUCTIONS else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return call_of(_HOOK, node, [node]) if isinstance(node.op, ast.MatMult) else node


@contextlib.contextmanager
def reductions_moved(side: Side, pattern: int) -> Iterator[None]:
    """Inside the block their results are one ULP beside, up or down by `pattern`.

    The k-th result goes up where `k` and `pattern` share an even number of bits, and down there
    where the pattern is negative. Whole numbers stay: they are most often exact, and counted.
    """
    calls = itertools.count()

    def hook(value: Any) -> Any:
        even = not (next(calls) & abs(pattern)).bit_count() & 1
        up = even is (pattern >= 0)
        number = isinstance(value, float | np.inexact)
        if number or (type(value) is np.ndarray and value.dtype.kind in "fc"):
            return _beside(value, up)
        return value

    with instrumented(side, _Instrument, _HOOK, hook):
        yield


def _beside(value: Any, up: bool) -> Any:
    held = np.asarray(value)
    if held.dtype.kind == "c":
        moved = np.array(held)
        moved.real, moved.imag = _moved(held.real, up), _moved(held.imag, up)
    else:
        moved = _moved(held, up)
    if isinstance(value, np.ndarray):
        return moved
    return moved[()] if isinstance(value, np.generic) else float(moved)


def _moved(held: NDArray[Any], up: bool) -> NDArray[Any]:
    with np.errstate(all="ignore"):
        toward = np.asarray(np.inf if up else -np.inf, held.dtype)
        still = ~np.isfinite(held) | (held == np.round(held))
        return np.where(still, held, np.nextafter(held, toward)).astype(held.dtype)
