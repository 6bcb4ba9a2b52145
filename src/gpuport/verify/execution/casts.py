"""Floats cast to integers that cannot hold them: what becomes of one is fixed nowhere.

Processors give the lowest integer, or what is left of some bits, devices the nearest integer or 0.
What a program computes from such a number differs by right, so that the example proves nothing.
Of floats beyond 2^53 the roundings are whole numbers, and stay in what they are cast to; of those
somewhat below they are a good part of one, which decides what is cut off.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import VALUE_KINDS, Observation
from gpuport.verify.execution.calling import Bench
from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.slots import Trial

_HOOK = "__gpuport_cast__"
_WHOLE_FROM, _ROUNDED_FROM = 2.0**53, 2.0**46
_MODULES = ("np", "numpy")
_OF_DTYPE = frozenset(
    ["array", "asarray", "asanyarray", "ascontiguousarray", "sum", "cumsum", "prod", "cumprod"]
)  # that cast to what ``dtype=`` says
_AT = 3  # arguments of `ufunc.at`: the array, the places, the values


class _Instrument(ast.NodeTransformer):
    """``x.astype(kind)`` as a call that tells what is cast and what comes of it.

    What is put into elements, ``a[i] = x`` or ``np.add.at(a, i, x)``, goes through a call with the
    array before it is.
    """

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                node.value = self._put(node.value, target.value)
        return node

    def _put(self, value: ast.expr, into: ast.expr) -> ast.expr:
        if not isinstance(into, ast.Name | ast.Attribute):
            return value
        named = ast.parse(ast.unparse(into), mode="eval").body
        return call_of(_HOOK, value, [value, ast.Constant(False), named])

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        function = node.func
        if getattr(function, "attr", "") == "at" and len(node.args) == _AT:
            node.args[-1] = self._put(node.args[-1], node.args[0])
        if not isinstance(function, ast.Attribute):
            return node
        if function.attr in _OF_DTYPE and any(key.arg == "dtype" for key in node.keywords):
            return _of_dtype(node, function)
        if function.attr != "astype":
            return node
        function.value = call_of(_HOOK, node, [function.value])
        return call_of(_HOOK, node, [node, ast.Constant(True)])


def _of_dtype(node: ast.Call, function: ast.Attribute) -> ast.AST:
    """``np.sum(x, dtype=int)`` or ``x.sum(dtype=int)``, which cast before they calculate."""
    if isinstance(function.value, ast.Name) and function.value.id in _MODULES:
        if not node.args:
            return node
        node.args[0] = call_of(_HOOK, node, [node.args[0]])
    else:
        function.value = call_of(_HOOK, node, [function.value])
    return call_of(_HOOK, node, [node, ast.Constant(True)])


def casts_what_fits_not(bench: Bench, function: str, trial: Trial) -> bool:
    """Whether the original casts a float, by `astype` or into an element, that does not fit."""
    return _casts(bench, function, trial, _overflows)


def casts_roundings(
    bench: Bench, function: str, trial: Trial, where: str, both: tuple[Observation, ...], c: float
) -> bool:
    """Whether whole numbers differ by no more than `c` roundings of floats that they came of."""
    values = [
        np.asarray(leaf.value)
        for one in both for leaf in one.leaves
        if leaf.path == where and leaf.kind in VALUE_KINDS
    ]  # fmt: skip
    if len(values) != len(both) or any(v.dtype.kind not in "iu" for v in values):
        return False
    a, b = (np.atleast_1d(v).astype(object) for v in values)
    if a.shape != b.shape:
        return False
    unequal = a != b
    largest = np.maximum(np.abs(a[unequal]), np.abs(b[unequal]))
    rounded = np.abs(a[unequal] - b[unequal]) <= 1 + c * largest / _WHOLE_FROM
    beyond = bool(np.all(rounded & (largest >= _ROUNDED_FROM)))
    return beyond and _casts(bench, function, trial, _rounded)


def _casts(bench: Bench, function: str, trial: Trial, such: Callable[[Any, Any], bool]) -> bool:
    """Whether a value that the original casts, and what comes of it or holds it, are such ones."""
    told: list[Any] = []
    found = False

    def hook(value: Any, is_result: bool = False, into: Any = None) -> Any:
        nonlocal found
        if into is not None:
            found = such(np.asarray(value) if _is_number(value) else value, into) or found
        elif not is_result:
            told.append(value)
        elif told:
            found = such(told.pop(), value) or found
        return value

    with instrumented(bench.sides["original"], _Instrument, _HOOK, hook):
        bench.call("original", function, trial)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, float)


def _to_whole(value: Any, cast: Any) -> bool:
    kinds = [v.dtype.kind if isinstance(v, np.ndarray | np.generic) else "" for v in (value, cast)]
    return kinds[0] == "f" and kinds[1] in ("i", "u")


def _rounded(value: Any, cast: Any) -> bool:
    return _to_whole(value, cast) and bool((np.abs(value) >= _ROUNDED_FROM).any())


def _overflows(value: Any, cast: Any) -> bool:
    if not _to_whole(value, cast):
        return False
    limits = np.iinfo(cast.dtype)
    with np.errstate(all="ignore"):
        whole = np.trunc(np.asarray(value, float))
        # the largest integers of 64 bits are no floats: what is below the next power of two is held
        held = (whole >= float(limits.min)) & (whole < float(limits.max // 2 + 1) * 2)
    return not bool(held.all())
