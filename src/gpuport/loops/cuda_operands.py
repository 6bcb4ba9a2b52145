"""What operations need of their operands, and constants worked out."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass

from .cuda_values import Alternative, Number, Value, of_constant
from .reasons import UNKNOWN_TYPE, Refused
from .typing import Type


class Outgrown(Refused):
    """A whole number that may not fit; it does where the numbers from outside are small."""


@dataclass(frozen=True, slots=True)
class Computed:
    """How an expression is computed.

    Attributes
    ----------
    inputs : tuple of str
        The dtype that each operand is converted to.
    output : str
        The dtype of the result.
    """

    inputs: tuple[str, ...]
    output: str


_FOLD: dict[str, Callable[..., Number]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "true_divide": operator.truediv,
    "negative": operator.neg,
    "positive": operator.pos,
}


def folded(ufunc: str, combination: tuple[Alternative, ...], output: Type) -> Number | None:
    """The result of constants, where it is one of Python's numbers."""
    constants = [a.constant for a in combination]
    if ufunc not in _FOLD or not output.weak or any(c is None for c in constants):
        return None
    try:
        value = _FOLD[ufunc](*constants)
    except ArithmeticError:
        return None
    return of_constant(value, output).constant


def check_exponent(node: ast.AST, operands: list[Value]) -> None:
    """Refuse an integer's power that may be none."""
    base, exponent = operands
    if base.whole and exponent.whole and not exponent.nonnegative:
        raise Refused(
            UNKNOWN_TYPE,
            node,
            f"`{ast.unparse(node)}`: the exponent may be negative, which gives no integer",
        )


def too_large(node: ast.AST, type_: Type) -> str:
    """Text for an integer that may not fit."""
    return f"`{ast.unparse(node)}` may be an integer that does not fit {type_}"
