"""Stores of an iteration: to one element, or to a slice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
from gpuport.ir.types import NUMBERS, Type

Shape = tuple[Affine | None, ...]
UPDATES = ("+", "*")
#: Kinds of values through which elements of a small array may be read later.
COPIES = ("array", "list", "tuple", "method")


def store(elements: Elements, op: Op) -> None:
    """What ``array[by] = value`` does, element by element."""
    array, by, _ = op.operands
    t = elements.type(array)
    if t.kind != "array" or t.shape is None:
        raise Blocked(f"nothing tells that `{array.name}` is an array", op.span)
    if array in elements.private:
        _to_private(elements, op)
        return
    if not is_view(elements, array):
        raise Blocked("what is stored to is made in the iteration, and is not small", op.span)
    if _is_stored_already(elements, op):
        return
    if axes_left(elements, array, by) == 0:
        _to_element(elements, op)
    else:
        _to_slice(elements, op)


def _is_stored_already(elements: Elements, op: Op) -> bool:
    """Whether what is stored is the same view, which was changed in place: ``a[i] += v``."""
    array, by, value = op.operands
    made = value.definition
    if not isinstance(made, Op) or made.kind != "InPlace":
        return False
    if elements.type(value).kind != "array":
        return False
    view = made.operands[0].definition
    return isinstance(view, Op) and view.kind == "GetItem" and view.operands == [array, by]


def _to_element(elements: Elements, op: Op) -> None:
    array, by, value = op.operands
    target, place = buffer_of(elements, array), through_views(elements, array, by, [])
    update = _update_of(elements, op)
    if update is None:
        elements.emit("Store", [target, *place, elements.number(value)], (), op.span)
    else:
        operator, term = update
        number = elements.number(term)
        elements.emit("Update", [target, *place, number], (), op.span, operator=operator)
    elements.note_store(array)


def _update_of(elements: Elements, op: Op) -> tuple[str, Value] | None:
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
    if elements.is_changed_since(buffer_of(elements, array), elements.times.get(before, 0)):
        return None  # something else was stored after it was read
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
    _check_home(elements, array, op)
    private = elements.private[array]
    key = tuple(map(constant_of, base_indices(elements, array, by, [])))
    if key not in private.elements:
        raise Blocked(f"`{array.name}` has no such element", op.span)
    _no_later_use_of_copies(elements, op)
    private.elements[key] = elements.as_element(elements.number(value), array)
    elements.note_change(private)


def _check_home(elements: Elements, array: Value, op: Op) -> None:
    if elements.region is not elements.private[array].home:
        raise Blocked(f"`{array.name}` is changed under a condition", op.span)


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


def _to_slice(elements: Elements, op: Op) -> None:
    array, by, value = op.operands
    t = elements.type(value)
    if t.kind not in NUMBERS and (t.kind != "array" or t.shape is None):
        raise Blocked("a slice is given something that is no array", op.span)
    elements.rest_on(t.assumed)
    shape = _fitting(elements, op, _extents_of(elements, array, by), t)
    to = _Slice(elements, op, array, by, shape)
    to.fill(lambda indices: elements.operand(value, indices, shape), value)


def _fitting(elements: Elements, op: Op, places: list[Affine | None], t: Type) -> Shape:
    """The shape of a slice, as the places or what they are given tell it."""
    given = t.shape or ()
    if len(given) > len(places):
        raise Blocked("a slice is given something of another shape", op.span)
    found: list[Affine | None] = list(places)
    for axis, extent in enumerate(given, len(places) - len(given)):
        place = places[axis]
        if place is None or extent is None:
            raise Blocked("nothing tells whether what a slice is given fits", op.span)
        if extent.number == 1 and place.number != 1:
            continue
        if extent != place:
            elements.need("equal", place, extent)
        found[axis] = extent
    if None in found:
        raise Blocked("nothing tells how large a slice is", op.span)
    return tuple(found)


def change_in_place(elements: Elements, op: Op) -> None:
    """What ``array += value`` does to a view, or to a small array of the iteration's own."""
    array, value = op.operands
    symbol, t = op.attributes["operator"], elements.type(array)
    if t.kind != "array" or t.shape is None or symbol == "@":
        raise Blocked(f"nothing tells that `{array.name}` is an array", op.span)
    shape = t.shape

    def new(indices: Indices) -> Value:
        parts = [elements.element(array, indices), elements.operand(value, indices, shape)]
        made = elements.value("Binary", parts, op.result, op.span, operator=symbol)
        dtype = elements.dtype_everywhere(op.result)
        if dtype is None:
            raise Blocked(f"nothing tells the dtype of `{array.name}`", op.span)
        return elements.value("Cast", [made], op.result, op.span, dtype=dtype)

    if array in elements.private:
        private = elements.private[op.result] = elements.private[array]
        _check_home(elements, array, op)
        made = {key: new([elements.const(k) for k in key]) for key in private.elements}
        private.elements.update(made)
        elements.note_change(private)
        return
    if not is_view(elements, array):
        raise Blocked("what is changed is made in the iteration, and is not small", op.span)
    to = _Slice(elements, op, array, None, shape, symbol if symbol in UPDATES else None)
    if to.operator is None:
        to.fill(new, value)
    else:
        to.fill(lambda indices: elements.operand(value, indices, shape), value)


@dataclass(frozen=True, slots=True)
class _Slice:
    """A slice that is stored to, or updated where there is an operator."""

    elements: Elements
    op: Op
    array: Value
    by: Value | None
    shape: Shape
    operator: str | None = None

    def fill(self, element: Callable[[Indices], Value], value: Value) -> None:
        """Give each place an element, all computed before one is stored."""
        elements = self.elements
        sizes = [extent.number if extent is not None else None for extent in self.shape]
        known = [size for size in sizes if size is not None and size <= UNROLL]
        if len(known) == len(sizes):
            points = [[elements.const(place) for place in key] for key in np.ndindex(*known)]
            found = [element(point) for point in points]
            for point, made in zip(points, found, strict=True):
                self._to(point, made)
        else:
            if not elements.is_number(value):
                _no_reads_of(elements, value, buffer_of(elements, self.array), self.op)
            each = [elements.size(extent) for extent in self.shape]
            serial_nest(elements, each, self.op, lambda i: self._to(i, element(i)))
        elements.note_store(self.array)

    def _to(self, indices: Indices, element: Value) -> None:
        target = buffer_of(self.elements, self.array)
        place = through_views(self.elements, self.array, self.by, indices)
        given = [target, *place, element]
        if self.operator is None:
            self.elements.emit("Store", given, (), self.op.span)
        else:
            self.elements.emit("Update", given, (), self.op.span, operator=self.operator)


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
            nest([*indices, elements.counter(region, "e")])
            elements.end("Continue")
        with elements.inside(Region()) as last:
            elements.end("Yield")
        elements.emit("For", [over], (), op.span, (region, last))

    nest([])
