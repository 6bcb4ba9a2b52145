"""Stores of an iteration: to one element, or to a slice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements, Indices
from gpuport.canonicalise.reductions import UNROLL
from gpuport.canonicalise.views import (
    axes_left,
    base_indices,
    buffer_of,
    index_parts,
    is_view,
    through_views,
)
from gpuport.canonicalise.writer import INDEX, constant_of
from gpuport.facts.scoping import home_of
from gpuport.facts.transfer.elements import basic_shape
from gpuport.ir.extents import Affine
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op, Region, Value
from gpuport.ir.types import NUMBERS

UPDATES = ("+", "*")
#: Kinds of values through which elements of a small array may be read later.
COPIES = ("array", "list", "tuple", "method")


def store(elements: Elements, op: Op) -> None:
    """What ``array[by] = value`` does, element by element."""
    array, by, value = op.operands
    t = elements.type(array)
    if t.kind != "array" or t.shape is None:
        raise Blocked(f"nothing tells that `{array.name}` is an array", op.span)
    if array in elements.private:
        _to_private(elements, op)
        return
    if not is_view(elements, array):
        raise Blocked("what is stored to is made in the iteration, and is not small", op.span)
    target, axes = buffer_of(elements, array), axes_left(elements, array, by)
    if axes == 0:
        place = through_views(elements, array, by, [])
        update = _update_of(op)
        if update is None:
            elements.emit("Store", [target, *place, elements.number(value)], (), op.span)
        else:
            operator, term = update
            number = elements.number(term)
            elements.emit("Update", [target, *place, number], (), op.span, operator=operator)
    else:
        _to_slice(elements, op, target, axes)
    elements.stored |= t.sites or {target}


def _update_of(op: Op) -> tuple[str, Value] | None:
    """How ``array[by] += term`` changes an element, and with what; None for other stores.

    Iterations may update one element in any order, where they may not store to it.
    """
    array, by, value = op.operands
    made = value.definition
    if not isinstance(made, Op) or made.kind not in ("InPlace", "Binary"):
        return None
    operator, before = made.attributes["operator"], made.operands[0].definition
    if operator not in UPDATES or not isinstance(before, Op) or before.kind != "GetItem":
        return None
    if before.operands != [array, by] or not _is_as_before(before, op):
        return None
    return operator, made.operands[1]


def _is_as_before(read: Op, store: Op) -> bool:
    """Whether nothing can have been stored between a read and a store."""
    ops = store.parent.ops
    if read.parent is not store.parent:
        return False
    between = ops[ops.index(read) : ops.index(store)]
    return not any(op.kind == "SetItem" or op.regions for op in between)


def _to_private(elements: Elements, op: Op) -> None:
    array, by, value = op.operands
    if elements.region is not elements.private[array].home:
        raise Blocked(f"`{array.name}` is changed under a condition", op.span)
    private = elements.private[array]
    key = tuple(map(constant_of, base_indices(elements, array, by, [])))
    if key not in private.elements:
        raise Blocked(f"`{array.name}` has no such element", op.span)
    _no_later_use_of_copies(elements, op)
    private.elements[key] = elements.as_element(elements.number(value), array)


def _no_later_use_of_copies(elements: Elements, store: Op) -> None:
    """Refuse where an array that was computed from a small one is used after it has changed.

    Its elements are computed where they are used.
    """
    array = store.operands[0]
    order = {op: place for place, op in enumerate(walk(home_of(array)))}
    users: dict[Value, list[Op]] = {}
    for op in order:
        for value in op.operands:
            users.setdefault(value, []).append(op)
    todo = [array]
    while todo:
        for user in users.get(todo.pop(), ()):
            computes = user.results and elements.type(user.result).kind in COPIES
            if not computes or order[user] > order[store]:
                continue
            later = [op for op in users.get(user.result, ()) if order[op] > order[store]]
            if later and user.kind != "GetItem":  # a view shows what is stored
                raise Blocked(f"`{array.name}` is changed between two reads", store.span)
            todo.append(user.result)


def _to_slice(elements: Elements, op: Op, target: Value, axes: int) -> None:
    array, by, value = op.operands
    t = elements.type(value)
    if t.kind in NUMBERS or t.shape is None or len(t.shape) != axes:
        raise Blocked("a slice is given something of another shape", op.span)
    elements.rest_on(t.assumed)
    for extent, given in zip(_extents_of(elements, array, by), t.shape, strict=True):
        if extent is None or given is None:
            raise Blocked("nothing tells whether what a slice is given fits", op.span)
        if extent != given:
            elements.need("equal", extent, given)
    sizes = [extent.number if extent is not None else None for extent in t.shape]
    known = [size for size in sizes if size is not None and size <= UNROLL]

    def to(indices: Indices, element: Value) -> None:
        place = through_views(elements, array, by, indices)
        elements.emit("Store", [target, *place, element], (), op.span)

    if len(known) == axes:
        points = [[elements.const(place) for place in key] for key in np.ndindex(*known)]
        found = [elements.snapshot(value, point) for point in points]
        for point, element in zip(points, found, strict=True):
            to(point, element)
    else:
        _no_reads_of(elements, value, target, op)
        each = [elements.size(extent) for extent in t.shape]
        serial_nest(elements, each, op, lambda i: to(i, elements.snapshot(value, i)))


def _extents_of(elements: Elements, array: Value, by: Value) -> list[Affine | None]:
    """The extents of a part of an array."""
    shape = elements.type(array).shape or ()
    parts = tuple(map(elements.type, index_parts(by)))
    extents, assumed = basic_shape(shape, parts)
    elements.rest_on(assumed)
    return list(extents)


def _no_reads_of(elements: Elements, value: Value, target: Value, op: Op) -> None:
    """Refuse where an element that is stored may be read by one that is computed later.

    NumPy computes all elements before it stores one.
    """
    todo, seen = [value], set[Value]()
    sites = elements.type(target).sites
    while todo:
        read = todo.pop()
        made = elements.made_here(read)
        if read in seen:
            continue
        seen.add(read)
        if made is not None:
            todo += made.operands
        elif elements.type(read).kind == "array":
            other = elements.type(read).sites
            if sites is None or other is None or not sites.isdisjoint(other):
                raise Blocked("a slice is computed from the array that it belongs to", op.span)


def serial_nest(
    elements: Elements, sizes: list[Value], op: Op, body: Callable[[Indices], None]
) -> None:
    """A serial nest over indices."""

    def nest(indices: Indices) -> None:
        if len(indices) == len(sizes):
            body(indices)
            return
        size = sizes[len(indices)]
        bounds = [elements.const(0), size]
        over = elements.value("Iterate", bounds, INDEX, op.span, form="range")
        with elements.inside(Region()) as region:
            nest([*indices, elements.parameter(region, "e", INDEX)])
            elements.end("Continue")
        with elements.inside(Region()) as last:
            elements.end("Yield")
        elements.emit("For", [over], (), op.span, (region, last))

    nest([])
