"""Lists of one number over and over: ``[0.0]``, ``[-np.inf]``, ``[1, 1]``."""

from __future__ import annotations

import ast

from gpuport.source.syntax import dotted


def is_even(display: ast.List | ast.Tuple, *, numbers: bool) -> bool:
    """Whether all items are the same number.

    Parameters
    ----------
    display : ast.List or ast.Tuple
    numbers : bool
        Whether the items are known to be numbers: names may be anything.
    """
    if not display.elts:
        return False
    first, *others = display.elts
    signed = isinstance(first, ast.UnaryOp) and isinstance(first.op, ast.USub)
    inner = first.operand if isinstance(first, ast.UnaryOp) and signed else first
    if isinstance(inner, ast.Constant):
        number = type(inner.value) in (int, float) or (not signed and type(inner.value) is bool)
        return number and all(ast.dump(one) == ast.dump(first) for one in others)
    return numbers and dotted(inner) is not None and not others


__all__ = ["is_even"]
