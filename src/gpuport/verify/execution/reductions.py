"""Sums and products of many terms, one rounding beside: their order is free, and so is that.

What a loop adds up term by term (``total += x[i]``) is such a sum: a kernel's has another order.
Terms that are all alike err all to one side, so that each step is one rounding beside.

Powers of complex numbers are too, which a device computes by way of logarithms, and quotients of
whole numbers: no input moves them, and what they are taken from (``1 - k / n``) rounds once more.

A sum that by luck is rounded hardly at all, and does not move with its terms because they are so
much smaller, tells nothing of what another order may give. Nor does one of large terms that cancel
by its own size: it is moved by a rounding of the sum of its terms' magnitudes.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.sides.memory import filled
from gpuport.verify.sides.sides import Side

_HOOK = "__gpuport_reduced__"


def _itself(value: Any) -> Any:
    return value


_ONE = ("sum", "mean", "trace", "average", "nansum", "nanmean", "cumsum", "trapezoid", "trapz")
_TWO = ("dot", "vdot", "inner", "matmul", "tensordot")
_ALL = ("einsum",)
# how many of the first arguments hold terms of a sum, or factors of these
_LINEAR = dict.fromkeys(_ONE, 1) | dict.fromkeys(_TWO, 2) | dict.fromkeys(_ALL, 99)
_REDUCTIONS = frozenset(
    {*_LINEAR, "prod", "std", "var", "norm", "nanprod", "nanstd", "nanvar", "cumprod", "fsum"}
)
_ADDED_UP = "added up"
"""Stands for a sum that a loop goes on with."""
_WRITTEN: dict[str, Callable[..., Any]] = {
    "MatMult": operator.matmul, "Pow": operator.pow, "Div": operator.truediv, _ADDED_UP: _itself,
}  # fmt: skip
_TELLING = (
    ast.Name, ast.Constant, ast.Tuple, ast.Subscript, ast.BinOp, ast.UnaryOp, ast.operator,
    ast.unaryop, ast.expr_context,
)  # fmt: skip
"""What a place may be told by that is looked up twice."""
_LONG, _HELD = 8, 1 << 62  # bytes of the widest integers, and what is well within them
_ELSEWHERE = {"out", "where", "initial"}

Reduced = Callable[..., Any]


def _is_plain(target: ast.expr) -> bool:
    """Whether it is a name, or an element of one whose place names and numbers tell."""
    if isinstance(target, ast.Name):
        return True
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name):
        return False
    return all(isinstance(part, _TELLING) for part in ast.walk(target.slice))


class _Instrument(ast.NodeTransformer):
    def __init__(self) -> None:
        self.loops = 0

    def visit_For(self, node: ast.For) -> ast.AST:
        return self._within(node)

    def visit_While(self, node: ast.While) -> ast.AST:
        return self._within(node)

    def _within(self, node: ast.For | ast.While) -> ast.AST:
        self.loops += 1
        self.generic_visit(node)
        self.loops -= 1
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        target = node.target
        if not self.loops or not isinstance(node.op, (ast.Add, ast.Sub)) or not _is_plain(target):
            return node
        before = copy.deepcopy(target)
        before.ctx = ast.Load()
        hook = call_of(_HOOK, node.value, [ast.Constant(_ADDED_UP)])
        moved = ast.Assign([copy.deepcopy(target)], ast.Call(hook, [before], []))
        return [node, ast.fix_missing_locations(ast.copy_location(moved, node))]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if getattr(node.func, "attr", getattr(node.func, "id", "")) in _REDUCTIONS:
            node.func = call_of(_HOOK, node.func, [node.func])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult | ast.Pow | ast.Div):
            return node
        function = call_of(_HOOK, node, [ast.Constant(type(node.op).__name__)])
        return ast.copy_location(ast.Call(function, [node.left, node.right], []), node)


@contextlib.contextmanager
def reductions_moved(side: Side, pattern: int) -> Iterator[None]:
    """Inside the block their results are one rounding beside, up or down by `pattern`.

    The k-th result goes up where `k` and `pattern` share an even number of bits, and down there
    where the pattern is negative. Sums of whole numbers are most often exact, and stay whole.
    """
    calls = itertools.count()

    def hook(called: Reduced | str) -> Reduced:
        function = _WRITTEN[called] if isinstance(called, str) else called

        def reduced(*given: Any, **named: Any) -> Any:
            value = function(*given, **named)
            if function is operator.pow:
                return _power_beside(value, *given, up=pattern >= 0)
            if function is operator.truediv:
                return _quotient_beside(value, *given, up=pattern >= 0)
            even = not (next(calls) & abs(pattern)).bit_count() & 1
            up = even is (pattern >= 0)
            number = isinstance(value, float | np.inexact)
            if function is _itself and not number:
                return value
            if number or (type(value) is np.ndarray and value.dtype.kind in "fc"):
                return _beside(value, up, _magnitudes(function, given, named))
            return value

        return reduced

    with instrumented(side, _Instrument, _HOOK, hook):
        yield


def _quotient_beside(value: Any, a: Any, b: Any, *, up: bool) -> Any:
    """A quotient of whole numbers one rounding beside; one that is a float, or of others, stays.

    It is one where what is left of the divisor, beside what both have in common, is a power of 2.
    """
    if not (_is_whole(a) and _is_whole(b)):
        return value
    with np.errstate(all="ignore"):
        left = np.abs(np.asarray(b, np.int64)) // np.maximum(np.gcd(a, b), 1)
        rounded = _beside(np.asarray(value), up, None)
        moved = filled(np.asarray(value), np.where(left & (left - 1), rounded, value))
    if isinstance(value, np.ndarray):
        return moved
    return moved[()] if isinstance(value, np.generic) else float(moved)


def _is_whole(value: Any) -> bool:
    """Whether these are integers that 64 bits with a sign hold."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind == "i" or (value.dtype.kind == "u" and value.dtype.itemsize < _LONG)
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < _HELD


def _power_beside(value: Any, base: Any, exponent: Any, *, up: bool) -> Any:
    """A power of complex numbers, as far beside as one by way of logarithms errs; others stay."""
    if not isinstance(value, np.ndarray | np.complexfloating) or value.dtype.kind != "c":
        return value
    with np.errstate(all="ignore"):
        turns = np.abs(np.asarray(exponent) * np.log(np.asarray(base, value.dtype)))
        return _beside(value, up, np.abs(value) * (1 + turns))


def _magnitudes(
    function: Reduced, given: tuple[Any, ...], named: dict[str, Any]
) -> NDArray[Any] | None:
    """The same sum of its terms' magnitudes; None where the terms are whole or not known."""
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ndarray):
        function, given = getattr(np, function.__name__, function), (owner, *given)
    count = _LINEAR.get(getattr(function, "__name__", ""), 0)
    own = str(getattr(function, "__module__", "")).partition(".")[0] in ("numpy", "_operator")
    terms = [x for x in given[:count] if isinstance(x, np.ndarray) and x.dtype.kind in "fciu"]
    if not own or not terms or not _ELSEWHERE.isdisjoint(named) or all(map(_whole, terms)):
        return None
    known = {id(term) for term in terms}
    with np.errstate(all="ignore"):
        moved = function(*(np.abs(x) if id(x) in known else x for x in given), **named)
        return np.asarray(np.abs(moved))


def _whole(terms: NDArray[Any]) -> bool:
    with np.errstate(all="ignore"):
        return bool((terms == np.round(terms)).all())


def _beside(value: Any, up: bool, magnitudes: NDArray[Any] | None) -> Any:
    held = np.asarray(value)
    if held.dtype.kind == "c":
        moved = np.array(held)
        moved.real = _moved(held.real, up, magnitudes)
        moved.imag = _moved(held.imag, up, magnitudes)
    else:
        moved = _moved(held, up, magnitudes)
    if isinstance(value, np.ndarray):
        return moved
    return moved[()] if isinstance(value, np.generic) else float(moved)


def _moved(held: NDArray[Any], up: bool, magnitudes: NDArray[Any] | None) -> NDArray[Any]:
    with np.errstate(all="ignore"):
        toward = np.asarray(np.inf if up else -np.inf, held.dtype)
        beside = np.nextafter(held, toward)
        if magnitudes is None:
            exact = np.abs(held) < 2 / np.finfo(held.dtype).eps  # beyond that all are whole
            still = ~np.isfinite(held) | (exact & (held == np.round(held)))
            still |= ~np.isfinite(beside)
        else:
            far = held + (1 if up else -1) * np.finfo(held.dtype).eps / 2 * magnitudes
            beside = np.maximum(beside, far) if up else np.minimum(beside, far)
            still = ~np.isfinite(held) | ~np.isfinite(beside)
        return filled(held, np.where(still, held, beside))
