"""What operations need of their operands, and constants worked out."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from dataclasses import dataclass

from gpuport.loops.reasons import UNKNOWN_TYPE, Refused
from gpuport.parallel.ranges import Alternative, Value, dtype_bounds, of_constant
from gpuport.parallel.typing import Number, Type


class Outgrown(Refused):
    """A whole number that may not fit; it does where the numbers from outside are small.

    Attributes
    ----------
    limit : str
        Empty, or the condition on one number from outside that is all that it takes.
    """

    limit = ""


def outgrown(node: ast.AST, operand: ast.expr | None, dtype: str) -> Outgrown:
    """The refusal for an operand, one of Python's integers, that another type has to hold."""
    found = Outgrown(UNKNOWN_TYPE, node, too_large(node, Type(dtype)))
    if isinstance(operand, ast.Name):
        low, high = dtype_bounds(dtype)
        found.limit = f"{low} <= {operand.id} <= {high}"
    return found


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


_MOST_BITS = 64
"""No whole number of a kernel has more."""


def _power(base: Number, exponent: Number) -> Number:
    """Python's power, where it is a number of the same kind and no larger than a kernel's."""
    if isinstance(base, int) and isinstance(exponent, int) and not 0 <= exponent < _MOST_BITS:
        raise ArithmeticError
    found: Number = base**exponent
    if isinstance(found, complex) and not isinstance(base, complex):
        raise ArithmeticError
    return found


_FOLD: dict[str, Callable[..., Number]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "true_divide": operator.truediv,
    "power": _power,
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
    shown = ast.unparse(node)
    if str(type_) == "int":
        return (
            f"`{shown}` may outgrow 64 bits, where Python's integers go on: begin with "
            "np.int64(...) where it never does"
        )
    return f"`{shown}` may be an integer that does not fit {type_}"
