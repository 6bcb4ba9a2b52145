"""Where Python's numbers and functions raise an error, and a kernel gives inf, nan or 0."""

from __future__ import annotations

import ast
from collections.abc import Container, Mapping, Sequence
from typing import Any

from gpuport.loops.cuda.symbols import Symbols
from gpuport.loops.names import dotted
from gpuport.parallel.ranges import Value
from gpuport.parallel.typing import Number

_DIVISIONS = frozenset({"true_divide", "floor_divide", "remainder"})


def zero_raises(ufunc: str, values: Sequence[Value]) -> int | None:
    """Which operand of an operator raises ZeroDivisionError where it is zero, if that may be.

    Parameters
    ----------
    ufunc : str
        NumPy's name of the operator.
    values : sequence of Value
        Of both operands. NumPy's numbers do not raise, whatever is on the other side.
    """
    if not all(any(t.weak for t in v.types) for v in values):
        return None
    if ufunc in _DIVISIONS:
        return 1 if may_be_zero(values[1]) else None
    exponent = values[1].constant if ufunc == "power" else None
    falls = exponent is not None and not isinstance(exponent, complex) and exponent < 0
    return 0 if falls and may_be_zero(values[0]) else None


def may_be_zero(value: Value) -> bool:
    """Whether a value may be a Python number that is zero."""
    above = value.low is not None and value.low > 0
    below = value.high is not None and value.high < 0
    for alternative in value.alternatives:
        constant: Number | None = alternative.constant
        if not alternative.type.weak or (constant is not None and constant != 0):
            continue
        if constant is not None or alternative.type.kind in "fc" or not (above or below):
            return True
    return False


def unchanging(node: ast.expr, symbols: Symbols, locals_: Container[str]) -> bool:
    """Whether an expression is made of numbers from before the launch alone."""
    if symbols.length_of(node) is not None or symbols.outer_length(node) is not None:
        return True
    name = dotted(node)
    if name is not None:
        return name in symbols.scalars and name not in locals_
    if isinstance(node, ast.UnaryOp):
        return not isinstance(node.op, ast.Not) and unchanging(node.operand, symbols, locals_)
    if isinstance(node, ast.BinOp):
        return all(unchanging(e, symbols, locals_) for e in (node.left, node.right))
    return isinstance(node, ast.Constant)


def raised(rule: Mapping[str, Any], arguments: Sequence[Value]) -> str | None:
    """What a function of Python raises that its kernel does not; None where it cannot.

    Parameters
    ----------
    rule : mapping of str to Any
        Its entry in ``loops-functions.yaml``.
    arguments : sequence of Value
    """
    if "raises" not in rule:
        return None
    if "safe" in rule and all(_within(v, *rule["safe"]) for v in arguments):
        return None
    return f"raises {rule['raises']}; the kernel gives {rule['instead']}"


def _within(value: Value, low: float | None, high: float | None) -> bool:
    """Whether a value is finite and within bounds, for all that is known."""
    constant = value.constant
    if isinstance(constant, float):
        least, most = constant, constant
    elif value.whole or value.boolean:
        if value.low is None or value.high is None:
            return low is None and high is None
        least, most = float(value.low), float(value.high)
    else:
        return False
    return (low is None or low <= least) and (high is None or most <= high)
