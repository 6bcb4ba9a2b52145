"""Shapes that are known at most, and what operations make of them."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from enum import Enum
from itertools import zip_longest
from math import prod


class Open(Enum):
    """A shape that is not known: it may be any, or nothing is there yet and the rest decides."""

    ANY = "any"
    NOTHING = "nothing"


ANY, NOTHING = Open.ANY, Open.NOTHING
Extents = tuple[int | None, ...]
Shape = Extents | Open

_MOST = 1 << 20
"""Beyond this it does not matter how many there are."""


def count(shape: Shape) -> int | None:
    """How many elements there are at most; None where nothing says so."""
    if not isinstance(shape, tuple) or None in shape:
        return None
    return prod(extent or 0 for extent in shape)


def at_most(shape: Extents) -> Shape:
    """A shape, unless it is large anyway."""
    return shape if prod(extent or 1 for extent in shape) <= _MOST and len(shape) < 8 else ANY


def _longest(extents: Iterable[int | None]) -> int | None:
    found = list(extents)
    return None if None in found else max(one or 0 for one in found)


def joined(shapes: Iterable[Shape]) -> Shape:
    """What is one of several: the longest of each axis, or the largest of unequal ranks."""
    found = [one for one in shapes if one is not NOTHING]
    if not found:
        return NOTHING
    known = [one for one in found if isinstance(one, tuple)]
    if len(known) < len(found):
        return ANY
    if len({len(one) for one in known}) > 1:
        counts = [count(one) for one in known]
        return ANY if None in counts else max(known, key=lambda one: count(one) or 0)
    return tuple(map(_longest, zip(*known, strict=True)))


def broadcast(shapes: Iterable[Shape]) -> Shape:
    """What element by element operations make of arrays."""
    found = list(shapes)
    known = [one for one in found if isinstance(one, tuple)]
    if len(known) < len(found) or not found:
        return ANY if ANY in found or not found else NOTHING
    axes = zip_longest(*(one[::-1] for one in known), fillvalue=1)
    return at_most(tuple(map(_longest, axes))[::-1])


def multiplied(left: Shape, right: Shape) -> Shape:
    """What ``left @ right`` makes of arrays."""
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return ANY if ANY in (left, right) else NOTHING
    if not left or not right:
        return ANY
    stack = broadcast([left[:-2], right[:-2]])
    if not isinstance(stack, tuple):
        return stack
    rows = left[-2:-1]
    columns = right[-1:] if len(right) > 1 else ()
    return at_most((*stack, *rows, *columns))


def without_axis(shape: Shape, node: ast.Call, owners: int) -> Shape:
    """What ``x.sum()``, ``x.max(axis=0)`` make of an array.

    Parameters
    ----------
    shape : tuple of int, or Open
    node : ast.Call
    owners : int
        1 where the array is no argument.
    """
    named = {one.arg: one.value for one in node.keywords}
    if "keepdims" in named or None in named:
        return shape
    given = named.get("axis", node.args[1 - owners] if len(node.args) > 1 - owners else None)
    if given is None:
        return ()
    if not isinstance(shape, tuple):
        return shape
    sign = -1 if isinstance(given, ast.UnaryOp) and isinstance(given.op, ast.USub) else 1
    number = given.operand if isinstance(given, ast.UnaryOp) else given
    if not isinstance(number, ast.Constant) or type(number.value) is not int:
        return () if isinstance(number, ast.Constant) and number.value is None else ANY
    axis = sign * number.value
    if not -len(shape) <= axis < len(shape):
        return ANY
    return tuple(n for k, n in enumerate(shape) if k != axis % len(shape))


def differ(shapes: Iterable[Shape]) -> bool:
    """Whether arrays hardly ever are of one shape: an axis is one of one element, and of more.

    ``x[:, None]`` beside ``y[None, :]`` are broadcast.
    """
    known = [one for one in shapes if isinstance(one, tuple)]
    return any(
        (1 in axis and len(set(axis)) > 1) or len(set(axis) - {None}) > 1
        for axis in zip(*known, strict=False)
    )


__all__ = [
    "ANY",
    "NOTHING",
    "Extents",
    "Open",
    "Shape",
    "at_most",
    "broadcast",
    "count",
    "differ",
    "joined",
    "multiplied",
    "without_axis",
]
