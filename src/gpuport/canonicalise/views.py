"""Views: slices, indices of single elements, transposes."""

from __future__ import annotations

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements, Indices, element_of
from gpuport.canonicalise.signs import from_front
from gpuport.canonicalise.writer import number_of
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Value
from gpuport.ir.types import NUMBERS, Type


def index_parts(by: Value) -> list[Value]:
    """The parts of an index: those of a tuple that is written out, or the index itself."""
    made = by.definition
    return made.operands if isinstance(made, Op) and made.kind == "Tuple" else [by]


def axes_left(elements: Elements, base: Value, by: Value) -> int:
    """How many axes an index leaves of an array."""
    taken = sum(elements.is_number(part) for part in index_parts(by))
    added = sum(elements.type(part).kind == "none" for part in index_parts(by))
    return (elements.type(base).rank or 0) - taken + added


def base_indices(elements: Elements, base: Value, by: Value, indices: Indices) -> Indices:
    """Indices into an array, for indices into what a basic index makes of it."""
    shape = elements.type(base).shape
    if shape is None:
        raise Blocked(f"nothing tells the number of axes of `{base.name}`")
    parts, rest = index_parts(by), list(indices)
    kinds = [elements.type(part).kind for part in parts]
    used = sum(kind not in ("none", "ellipsis") for kind in kinds)
    found: Indices = []
    for part, kind in zip(parts, kinds, strict=True):
        axis = len(found)
        if kind == "none":
            rest.pop(0)
        elif kind == "ellipsis":
            found += [rest.pop(0) for _ in range(len(shape) - used)]
        elif kind == "slice":
            found.append(_sliced(elements, part, base, axis, rest.pop(0)))
        elif kind in NUMBERS:
            found.append(from_front(elements, part, base, axis))
        else:
            raise Blocked("an index is an array")
    return found + rest


def _sliced(elements: Elements, part: Value, base: Value, axis: int, index: Value) -> Value:
    made = part.definition
    if not isinstance(made, Op) or made.kind != "Slice":
        raise Blocked("a slice is kept under a name")
    start, _, stride = made.operands
    low, step = elements.type(start), elements.type(stride)
    size = 1 if step.kind == "none" else step.number
    if not size or low.kind not in ("none", "number"):
        raise Blocked("a slice goes by a step that nothing tells")
    if elements.is_chain and low.kind == "number":  # negative, it would count from the end
        if low.integer is None:
            raise Blocked("nothing tells where a slice starts")
        if low.number is None:
            elements.need("least", low.integer, Affine())
    if abs(size) != 1:
        index = elements.index("*", index, elements.const(abs(size)))
    if size < 0:
        first = _last(elements, start, base, axis)
        return elements.index("-", first, index)
    if low.kind == "none" or low.integer == Affine():
        return index
    return elements.sum(index, from_front(elements, start, base, axis, clamped=True))


def _last(elements: Elements, start: Value, base: Value, axis: int) -> Value:
    """Where a slice begins that goes backwards: at its start, or at the end of the array."""
    low, size = elements.type(start), elements.extent(base, axis)
    if low.kind == "none":
        return elements.sum(size, elements.const(-1))
    known, number = number_of(size), low.number
    if known is not None and number is not None and -known <= number:
        return elements.const(min(number, known - 1) if number >= 0 else number + known)
    extent = (elements.type(base).shape or ())[axis]
    if known is None and number is not None and extent is not None:
        elements.need("least", extent, Affine((), number + 1 if number >= 0 else -number))
        start = elements.const(number)
        return start if number >= 0 else elements.sum(size, start)
    raise Blocked("nothing tells where a slice begins that goes backwards")


@element_of("GetItem")
def _item(elements: Elements, op: Op, t: Type, indices: Indices) -> Value:
    base, by = op.operands
    return elements.element(base, base_indices(elements, base, by, indices))


@element_of("InPlace")
def _changed(elements: Elements, op: Op, t: Type, indices: Indices) -> Value:
    return elements.element(op.operands[0], indices)


@element_of("GetAttr")
def _attribute(elements: Elements, op: Op, t: Type, indices: Indices) -> Value:
    if op.attributes["name"] == "T":
        return elements.element(op.operands[0], indices[::-1])
    raise Blocked(f"`.{op.attributes['name']}` does not go element by element", op.span)


def buffer_of(elements: Elements, array: Value) -> Value:
    """The array in whose memory a view lies."""
    while True:
        made = elements.made_here(array)
        if array in elements.rows:
            array = elements.rows[array][0]
        elif made is not None:
            array = made.operands[0]
        else:
            return array


def through_views(elements: Elements, array: Value, by: Value | None, indices: Indices) -> Indices:
    """Indices into the buffer under views, for indices into what ``array[by]`` is."""
    found = indices if by is None else base_indices(elements, array, by, indices)
    if array in elements.rows:
        whole, index = elements.rows[array]
        return through_views(elements, whole, None, [index, *found])
    made = elements.made_here(array)
    if made is None:
        return found
    if made.kind == "InPlace":
        return through_views(elements, made.operands[0], None, found)
    if made.kind != "GetItem":
        raise Blocked("what is stored to is no view of an array", made.span)
    return through_views(elements, made.operands[0], made.operands[1], found)


def is_view(elements: Elements, array: Value) -> bool:
    """Whether a value is a view of an array from outside."""
    if array in elements.rows:
        return is_view(elements, elements.rows[array][0])
    made = elements.made_here(array)
    looked_through = made is None or made.kind in ("GetItem", "InPlace")
    return made is None or (looked_through and is_view(elements, made.operands[0]))
