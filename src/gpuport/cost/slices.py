"""How many elements slices have at most: ``x[n - order : n]`` of an `order` that is known."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable

from gpuport.source.wholes import constant_int

Number = Callable[[ast.expr], int | None]
"""The largest whole number that an expression is; None where nothing says so."""


def width(part: ast.Slice, extent: int | None, number: Number) -> int | None:
    """How many elements a slice takes of an axis.

    Parameters
    ----------
    part : ast.Slice
    extent : int or None
        How long the axis is at most.
    number : callable

    Returns
    -------
    int or None
        None where nothing says so.
    """
    step = 1 if part.step is None else constant_int(part.step) or 1
    found = _between(part.lower, part.upper, number) if step > 0 else None
    found = None if found is None else -(-found // step)
    known = [one for one in (found, extent) if one is not None]
    return min(known, default=None)


def _between(lower: ast.expr | None, upper: ast.expr | None, number: Number) -> int | None:
    begins, ends = (None if one is None else _sum(one) for one in (lower, upper))
    if ends is None:
        if begins is None or not _is_negative(begins):
            return None
        ends = Counter()  # `x[-k:]`
    elif _is_negative(ends):
        return None
    begins = begins or Counter[str]()
    if _is_negative(begins) and ends:
        return None
    ends.subtract(begins)
    total = 0
    for text, times in ends.items():
        size = 1 if not text else number(ast.parse(text, mode="eval").body) if times > 0 else None
        if times and size is None:
            return None
        total += times * (size or 0)
    return max(total, 0)


def _is_negative(terms: Counter[str]) -> bool:
    """Whether a bound counts from the end: ``-1``, ``-k``."""
    return any(terms.values()) and all(times <= 0 for times in terms.values())


def _sum(node: ast.expr) -> Counter[str]:
    """What an expression is the sum of, and how often; the constant under no name."""
    constant = constant_int(node)
    if constant is not None:
        return Counter({"": constant})
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _times(_sum(node.operand), -1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        found, more = _sum(node.left), _sum(node.right)
        found.update(more if isinstance(node.op, ast.Add) else _times(more, -1))
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for one, other in ((node.left, node.right), (node.right, node.left)):
            factor = constant_int(one)
            if factor is not None:
                return _times(_sum(other), factor)
    return Counter({ast.unparse(node): 1})


def _times(terms: Counter[str], factor: int) -> Counter[str]:
    return Counter({text: times * factor for text, times in terms.items()})


__all__ = ["width"]
