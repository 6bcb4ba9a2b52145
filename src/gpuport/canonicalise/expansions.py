"""Small functions of arrays, written out element by element: what each is stands in the rules."""

from __future__ import annotations

import re

import numpy as np

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements, Indices
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.reductions import UNROLL, put_together
from gpuport.canonicalise.writer import INDEX, constant_of, number_of
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Value

SUBSCRIPTS = re.compile(r"[a-z]*(?:,[a-z]*)*->[a-z]*")


def expanded(
    elements: Elements, op: Op, path: str, arguments: list[Value], indices: Indices
) -> Value | None:
    """An element of what a function gives; None where it is none of those that are written out."""
    rules = element_rules()
    if path in rules.places and len(arguments) == 1:
        return _place(elements, op, rules.places[path], arguments[0])
    if path in rules.contractions:
        ranks = " ".join(str(elements.type(value).rank) for value in arguments)
        subscripts = rules.contractions[path].get(ranks)
        if subscripts is None:
            return None
        return _contraction(elements, op, subscripts, arguments, indices)
    if path in rules.by_subscripts:
        return _contraction(elements, op, _subscripts(elements, op), arguments[1:], indices)
    if path in rules.crosses and len(arguments) == 2:
        return _cross(elements, op, arguments, indices)
    if path in rules.alike and len(arguments) == 2 and elements.is_number(arguments[1]):
        return elements.as_in(elements.number(arguments[rules.alike[path]]), op.result)
    if path in rules.units and len(arguments) == 1:
        return _unit(elements, op, indices)
    if path in rules.counting:
        return _count(elements, op, arguments, indices[0])
    return None


def _subscripts(elements: Elements, op: Op) -> str:
    known = elements.type(op.operands[1]).constant if len(op.operands) > 1 else None
    text = known[0].replace(" ", "") if known and isinstance(known[0], str) else ""
    if not SUBSCRIPTS.fullmatch(text):
        raise Blocked("nothing tells the subscripts of a sum of products", op.span)
    return str(text)


def _contraction(
    elements: Elements, op: Op, subscripts: str, arguments: list[Value], indices: Indices
) -> Value:
    """A sum of products over the letters that the result does not have."""
    inputs, _, output = subscripts.partition("->")
    parts = inputs.split(",")
    sizes = _sizes(elements, op, parts, arguments)
    if len(set(output)) != len(output) or not set(output) <= set(sizes):
        raise Blocked("a sum of products has an axis twice", op.span)
    summed = [letter for letter in sizes if letter not in output]

    def nest(done: int, chosen: dict[str, Value]) -> Value:
        if done == len(summed):
            return _product_of(elements, op, parts, arguments, chosen)
        array, axis, extent = sizes[summed[done]]
        return put_together(
            elements,
            "+",
            (extent, lambda: elements.extent(array, axis)),
            op.result,
            lambda index: nest(done + 1, {**chosen, summed[done]: index}),
        )

    return nest(0, dict(zip(output, indices, strict=True)))


def _sizes(
    elements: Elements, op: Op, parts: list[str], arguments: list[Value]
) -> dict[str, tuple[Value, int, Affine]]:
    """Where each letter's extent is found; a letter has one extent, wherever it stands."""
    sizes: dict[str, tuple[Value, int, Affine]] = {}
    if len(parts) != len(arguments):
        raise Blocked("a sum of products has other arguments", op.span)
    for letters, array in zip(parts, arguments, strict=True):
        t = elements.type(array)
        if t.kind != "array" or t.shape is None or len(t.shape) != len(letters):
            raise Blocked("a sum of products has arguments of other ranks", op.span)
        if t.dtype is None or t.dtype.startswith("complex"):
            raise Blocked("nothing tells that an array is real", op.span)
        for axis, (letter, extent) in enumerate(zip(letters, t.shape, strict=True)):
            if extent is None:
                raise Blocked("nothing tells the sizes of a sum of products", op.span)
            if letter not in sizes:
                sizes[letter] = array, axis, extent
            elif sizes[letter][2] != extent:
                elements.need("equal", sizes[letter][2], extent)
    return sizes


def _product_of(
    elements: Elements, op: Op, parts: list[str], arguments: list[Value], chosen: dict[str, Value]
) -> Value:
    total: Value | None = None
    for letters, array in zip(parts, arguments, strict=True):
        element = elements.snapshot(array, [chosen[letter] for letter in letters])
        element = elements.as_in(element, op.result)
        if total is None:
            total = element
        else:
            total = elements.value("Binary", [total, element], op.result, op.span, operator="*")
    assert total is not None
    return total


def _cross(elements: Elements, op: Op, arguments: list[Value], indices: Indices) -> Value:
    shapes = [elements.type(value).shape for value in arguments]
    if any(shape != (Affine((), 3),) for shape in shapes):
        raise Blocked("a cross product is not one of three elements", op.span)
    place = constant_of(indices[0])
    first, second = (elements.const((place + k) % 3) for k in (1, 2))

    def times(one: Value, other: Value) -> Value:
        parts = [elements.snapshot(arguments[0], [one]), elements.snapshot(arguments[1], [other])]
        return elements.value("Binary", parts, op.result, op.span, operator="*")

    pair = [times(first, second), times(second, first)]
    return elements.value("Binary", pair, op.result, op.span, operator="-")


def _unit(elements: Elements, op: Op, indices: Indices) -> Value:
    one, other = indices
    numbers = number_of(one), number_of(other)
    if None not in numbers:
        return elements.value(
            "Const", (), op.result, op.span, value=float(numbers[0] == numbers[1])
        )
    test = elements.value("Compare", [one, other], "bool", op.span, operator="==")
    parts = [test, elements.const(1.0), elements.const(0.0)]
    return elements.value("Elementwise", parts, op.result, op.span, path="numpy.where")


def _count(elements: Elements, op: Op, arguments: list[Value], index: Value) -> Value:
    """An element of ``arange``, of whole numbers: others are rounded in a way of their own."""
    for value in arguments:
        dtype = elements.type(value).dtype
        if dtype is None or np.dtype(dtype).kind not in "iu":
            raise Blocked("a range is not one of whole numbers", op.span)
    if len(arguments) == 3:
        index = elements.index("*", index, elements.number(arguments[2]))
    if len(arguments) > 1:
        index = elements.sum(elements.number(arguments[0]), index)
    return elements.as_in(index, op.result)


def _place(elements: Elements, op: Op, symbol: str, array: Value) -> Value:
    """Where the extreme of a small vector stands; the first NaN wins."""
    shape = elements.type(array).shape
    size = shape[0].number if shape and len(shape) == 1 and shape[0] is not None else None
    if not size or size > UNROLL:
        raise Blocked("the place of an extreme is not one in a small vector", op.span)
    best, place = elements.snapshot(array, [elements.const(0)]), elements.const(0)
    like = elements.like.get(best, best)
    for k in range(1, size):
        other = elements.snapshot(array, [elements.const(k)])
        wins = elements.value("Compare", [other, best], "bool", op.span, operator=symbol)
        nan = [_is_nan(elements, op, other), _is_nan(elements, op, best, negated=True)]
        alone = elements.value("Binary", nan, "bool", op.span, operator="&")
        better = elements.value("Binary", [wins, alone], "bool", op.span, operator="|")
        chosen = [better, elements.const(k), place]
        place = elements.value("Elementwise", chosen, INDEX, op.span, path="numpy.where")
        chosen = [better, other, best]
        best = elements.value("Elementwise", chosen, like, op.span, path="numpy.where")
    return elements.as_in(place, op.result)


def _is_nan(elements: Elements, op: Op, value: Value, negated: bool = False) -> Value:
    symbol = "==" if negated else "!="
    return elements.value("Compare", [value, value], "bool", op.span, operator=symbol)
