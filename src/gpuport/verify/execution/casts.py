"""Floats cast to integers that cannot hold them: what becomes of one is fixed nowhere.

Processors give the lowest integer, or what is left of some bits, devices the nearest integer or 0.
What a program computes from such a number differs by right, so that the example proves nothing.
"""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from gpuport.verify.execution.calling import Bench
from gpuport.verify.sides.instrument import call_of, instrumented
from gpuport.verify.slots import Trial

_HOOK = "__gpuport_cast__"
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
        if not isinstance(function, ast.Attribute) or function.attr != "astype":
            return node
        function.value = call_of(_HOOK, node, [function.value])
        return call_of(_HOOK, node, [node, ast.Constant(True)])


def casts_what_fits_not(bench: Bench, function: str, trial: Trial) -> bool:
    """Whether the original casts a float, by `astype` or into an element, that does not fit."""
    told: list[Any] = []
    found = False

    def hook(value: Any, is_result: bool = False, into: Any = None) -> Any:
        nonlocal found
        if into is not None:
            found = _overflows(np.asarray(value) if _is_number(value) else value, into) or found
        elif not is_result:
            told.append(value)
        elif told:
            found = _overflows(told.pop(), value) or found
        return value

    with instrumented(bench.sides["original"], _Instrument, _HOOK, hook):
        bench.call("original", function, trial)
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, float)


def _overflows(value: Any, cast: Any) -> bool:
    kinds = [v.dtype.kind if isinstance(v, np.ndarray | np.generic) else "" for v in (value, cast)]
    if kinds[0] != "f" or kinds[1] not in ("i", "u"):
        return False
    limits = np.iinfo(cast.dtype)
    with np.errstate(all="ignore"):
        whole = np.trunc(np.asarray(value, float))
        # the largest integers of 64 bits are no floats: what is below the next power of two is held
        held = (whole >= float(limits.min)) & (whole < float(limits.max // 2 + 1) * 2)
    return not bool(held.all())
