"""Calls that give a formula numbers alone, where other calls give it arrays."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from gpuport.analysis.values.lattice import Array, Either, Number, Scalar, Value
from gpuport.parallel.cuda.rules import functions
from gpuport.source.formulas import is_formula
from gpuport.source.names import Scope

_NUMBERS = ("int", "float")


def of_numbers_alone(
    scope: Scope, constant: Callable[[str], Value], passed: list[Value], given: Iterable[Value]
) -> bool:
    """Whether a call gives numbers of Python's to a formula that is given arrays elsewhere.

    CuPy's functions take such numbers, too: the arrays are what says where the formula computes.
    ``passed``: what the call gives, and ``given``, what calls are known to; ``constant``: what a
    name of the function's module is bound to.
    """
    numbers = bool(passed) and all(map(_is_number, passed))
    if not numbers or not any(isinstance(v, Array | Either) for v in given):
        return False

    def computes(call: ast.Call) -> bool:
        path = scope.resolve(call.func)
        return path is not None and functions().ufunc(path) is not None

    def is_number(node: ast.expr) -> bool:
        if scope.resolve(node) in functions().constants:
            return True
        return isinstance(node, ast.Name) and _is_number(constant(node.id))

    return is_formula(scope.node, computes, is_number)


def _is_number(value: Value) -> bool:
    return isinstance(value, Scalar) and value.type in _NUMBERS


def as_number(value: Value) -> Value:
    """What a formula gives of numbers, where it gives this of arrays."""
    array = isinstance(value, Array | Either)
    return Number(None, numpy_scalar=True, real=True) if array else value


__all__ = ["as_number", "of_numbers_alone"]
