"""Indices from the front: a negative one counts from the end."""

from __future__ import annotations

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.writer import INDEX, number_of
from gpuport.ir.structure import Op, Value
from gpuport.ir.types import Type


def from_front(
    elements: Elements, part: Value, base: Value, axis: int, *, clamped: bool = False
) -> Value:
    """An index of the program as one that counts from the front.

    Where a loop alone tells that it is not negative, a ``Wrap`` stands for it, which goes where
    the bounds of the loop are known (`gpuport.parallel.signs`).

    Parameters
    ----------
    clamped : bool
        Whether it is the start of a slice, which may lie before the first element.
    """
    _check_whole(elements, part)
    index, number = elements.number(part), elements.type(part).number
    if number is not None and number < 0 and not clamped:
        return elements.sum(elements.extent(base, axis), index)
    if number is not None and number < 0:
        return _negative_start(elements, number, base, axis)
    if is_natural(elements, index):
        return index
    size = elements.extent(base, axis)
    return elements.value("Wrap", [index, size], INDEX, clamped=clamped)


def _negative_start(elements: Elements, number: int, base: Value, axis: int) -> Value:
    size, start = elements.extent(base, axis), elements.const(number)
    known = number_of(size)
    if known is not None:
        return elements.const(max(known + number, 0))
    return elements.sum(size, start)  # that the slice is not longer than the array is assumed


def _check_whole(elements: Elements, part: Value) -> None:
    """Refuse indices that mean something else: a truth value selects, a float raises."""
    for context in elements.contexts:
        dtype = elements.dtype(part, context)
        if dtype is None or np.dtype(dtype).kind not in "iu":
            raise Blocked(f"`{part.name}` is an index, and may be no whole number")


def is_natural(elements: Elements, value: Value) -> bool:
    """Whether an index is not negative, as far as it shows without the bounds of loops."""
    if value in elements.naturals:
        return True
    if value not in elements.like:
        return _is_natural_type(elements.type(value))
    made = value.definition
    if not isinstance(made, Op):
        return False
    if made.kind in ("Extent", "Wrap"):
        return True
    if made.kind == "Const":
        return bool(made.attributes["value"] >= 0)
    if made.kind == "Binary" and made.attributes["operator"] in ("+", "*"):
        whole = all(_is_python_int(elements, operand) for operand in made.operands)
        return whole and all(is_natural(elements, operand) for operand in made.operands)
    return made.kind == "Load" and _is_natural_type(elements.type(made.operands[0]))


def _is_natural_type(t: Type) -> bool:
    if t.dtype is not None and t.dtype.startswith("uint"):
        return True
    extent = t.integer
    if extent is None or extent.constant < 0:
        return False
    return all(
        factor > 0 and symbol.path and symbol.path[-1][0] == "axis"
        for symbol, factor in extent.terms
    )


def _is_python_int(elements: Elements, value: Value) -> bool:
    """Whether arithmetic on a number does not wrap around."""
    like = elements.like.get(value, value)
    return like == INDEX or (not isinstance(like, str) and elements.type(like).kind == "number")
