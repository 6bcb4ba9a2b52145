"""How long the axes are of what operations make of arrays and lists, most likely."""

from __future__ import annotations

import math
from operator import mul
from typing import Protocol

from gpuport.facts.contexts import Context
from gpuport.facts.knowledge import knowledge
from gpuport.facts.ways import named, rank, sources
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Value


class Likely(Protocol):
    """Likely numbers, and lengths of lists (`gpuport.facts.likely`)."""

    def extent(self, context: Context, extent: Affine | None, /) -> int | None:
        """The most that an extent can be."""

    def axis(self, context: Context, value: Value, axis: int) -> int | None:
        """An axis of an array."""

    def number(self, context: Context, value: Value) -> int | float | None:
        """A number."""

    def whole(self, context: Context, value: Value) -> int | None:
        """A number, as a size."""

    def length(self, context: Context, value: Value) -> int | None:
        """How many items something has."""

    def items(self, context: Context, value: Value) -> list[tuple[Value, int]] | None:
        """The items of a list, with how often each is put in it."""


_RESHAPE = "numpy.ndarray.reshape"


def extent(likely: Likely, context: Context, op: Op, axis: int) -> int | None:
    """How long an axis is of what an operation makes of arrays, or of a list of them."""
    path, given = named(context, op)
    how = knowledge().joins.get(path)
    if how is not None and given:
        along = _along(likely, context, op, given)
        return None if along is None else _joined(likely, context, given[0], axis, along, how)
    if path in knowledge().flattens and given:
        return elements(likely, context, given[0])
    if path == _RESHAPE:
        return _rest(likely, context, op, given)
    if path in knowledge().sized_by_a_range:
        return _in_range(likely, context, op, given)
    return no_longer(likely, context, op)


def _along(likely: Likely, context: Context, op: Op, given: list[Value]) -> int | None:
    """The axis along which a list of arrays is joined."""
    named, t = op.attributes["keywords"], context.types.get(op.result)
    if not given[1:]:
        return 0
    told = (
        likely.number(context, given[1]) if len(given) == 2 and named in ((), ("axis",)) else None
    )
    if not isinstance(told, int) or t is None or t.shape is None:
        return None
    return told % max(len(t.shape), 1)


def _joined(
    likely: Likely, context: Context, value: Value, axis: int, along: int, how: str
) -> int | None:
    """An axis of what is made of the items of a list, one behind the other along an axis."""
    if how == "new" and axis == along:
        return likely.length(context, value)
    items = likely.items(context, value) or []
    if how == "rows":
        how = "new" if all(rank(context, one) == 1 for one, _ in items) else "parts"
        return _joined(likely, context, value, axis, along, how)
    if how == "columns":
        along = 1
    inside = axis - 1 if how == "new" and axis > along else axis
    sizes = [likely.axis(context, one, inside) for one, _ in items]
    if how == "columns" and axis == 1:
        vectors = [rank(context, one) == 1 for one, _ in items]
        sizes = [1 if alone else size for size, alone in zip(sizes, vectors, strict=True)]
    known = [one for one in sizes if one is not None]
    if not items or len(known) < len(sizes):
        return None
    return sum(map(mul, known, (times for _, times in items))) if axis == along else max(known)


def _in_range(likely: Likely, context: Context, op: Op, given: list[Value]) -> int | None:
    """How many numbers are between two, a step apart."""
    numbers = [likely.number(context, one) for one in given[:3]]
    known = [one for one in numbers if one is not None]
    plain = not op.attributes["keywords"] and not any(op.attributes["stars"])
    if not plain or not known or len(known) < len(numbers):
        return None
    first, last, step = {1: (0, *known, 1), 2: (*known, 1), 3: tuple(known)}[len(known)]
    count = (last - first) / step if step else math.inf
    return max(math.ceil(count), 0) if math.isfinite(count) else None


def elements(likely: Likely, context: Context, value: Value) -> int | None:
    """How many elements an array has."""
    t = context.types.get(value)
    if t is None or t.kind != "array" or t.shape is None:
        return None
    extents = [likely.extent(context, one) for one in t.shape]
    known = [one for one in extents if one is not None]
    return math.prod(known) if len(known) == len(extents) else None


def _rest(likely: Likely, context: Context, op: Op, given: list[Value]) -> int | None:
    """The axis that ``x.reshape(-1, n)`` leaves open."""
    whole = elements(likely, context, given[0])
    t = context.types.get(op.result)
    others = [e for e in (t.shape or () if t is not None else ()) if e not in (None, _own(e, op))]
    sizes = [likely.extent(context, one) for one in others]
    known = [one for one in sizes if one]
    return whole // math.prod(known) if whole and len(known) == len(sizes) else None


def no_longer(likely: Likely, context: Context, op: Op) -> int | None:
    """An axis of what has none that is longer than those, or all, of what it is made of."""
    path, given = named(context, op)
    product = op.kind == "Binary" and op.attributes["operator"] == "@"
    if path in knowledge().selects:
        sizes = [elements(likely, context, given[0])] if given else []
    elif product or path in knowledge().keeps_axes | knowledge().doubles:
        arrays = op.operands if product else given
        types = [context.types.get(one) for one in arrays]
        shapes = [t.shape for t in types if t is not None and t.kind == "array"]
        if None in shapes:
            return None
        sizes = [likely.extent(context, one) for shape in shapes for one in shape or ()]
        sizes += [likely.whole(context, one) for one in arrays if _is_whole(context, one)]
    else:
        return None
    known = [one for one in sizes if one is not None]
    times = 2 if path in knowledge().doubles else 1
    return times * max(known) if known and len(known) == len(sizes) else None


def _own(extent: Affine | None, op: Op) -> Affine | None:
    """An extent that an operation's own result is what tells."""
    return extent if extent is not None and op.result in sources(extent) else None


def _is_whole(context: Context, value: Value) -> bool:
    t = context.types.get(value)
    return t is not None and t.kind == "number" and t.dtype == "int"


__all__ = ["elements", "extent", "no_longer"]
