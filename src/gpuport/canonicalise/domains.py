"""What a loop goes over, as a range of indices: one rule for all forms of iteration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.canonicalise.signs import is_natural
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Value


@dataclass(frozen=True, slots=True)
class Row:
    """A row of an array, at an index."""

    array: Value
    index: Value


One = Value | Row
Bound = One | list[One]


@dataclass(frozen=True, slots=True)
class Domain:
    """A range of indices, and what the loop's element is for one of them."""

    low: Value
    high: Value
    step: int
    element: Callable[[Value], Bound]


def loop_domain(elements: Elements, loop: Op) -> Domain:
    """The domain of a ``For``."""
    source = loop.operands[0].definition
    if not isinstance(source, Op) or source.kind != "Iterate":
        raise Blocked("the loop goes over something else than numbers and arrays", loop.span)
    return _domain(elements, source)


def goes_up(elements: Elements, domain: Domain) -> bool:
    """Whether a domain begins at 0 or later, and goes up."""
    return domain.step > 0 and is_natural(elements, domain.low)


def bind(elements: Elements, loop: Op, domain: Domain, index: Value) -> None:
    """Let the element of a loop be what its domain says for an index."""
    bind_to(elements, loop.regions[0].parameters[0], domain.element(index))


def bind_to(elements: Elements, value: Value, bound: Bound) -> None:
    """Let a value of the program be a number, a row, or several of these."""
    if isinstance(bound, Row):
        elements.rows[value] = bound.array, bound.index
    elif isinstance(bound, list):
        elements.parts[value] = bound
    else:
        elements.numbers[value] = bound


def _domain(elements: Elements, source: Op) -> Domain:
    form = source.attributes["form"]
    if form == "range":
        return _range(elements, source)
    if form == "elements":
        return _array(elements, source.operands[0], source)
    if form == "enumerate" and len(source.operands) == 1:
        inner = _part(elements, source.operands[0], source)
        return Domain(inner.low, inner.high, 1, lambda i: [i, _one(inner.element(i))])
    if form == "zip" and source.operands:
        return _zip(elements, source)
    raise Blocked(f"the loop goes over `{form}`", source.span)


def _range(elements: Elements, source: Op) -> Domain:
    bounds = source.operands
    step = elements.type(bounds[2]).number if len(bounds) == 3 else 1
    if not step:
        raise Blocked("nothing tells the step of a range", source.span)
    low = elements.number(bounds[0]) if len(bounds) > 1 else elements.const(0)
    high = elements.number(bounds[1] if len(bounds) > 1 else bounds[0])
    return Domain(low, high, step, lambda i: i)


def _array(elements: Elements, array: Value, source: Op) -> Domain:
    t = elements.type(array)
    if t.kind != "array" or t.shape is None:
        raise Blocked("the loop goes over something else than numbers", source.span)
    high = elements.extent(array, 0)
    if len(t.shape) > 1:
        return Domain(elements.const(0), high, 1, lambda i: Row(array, i))
    return Domain(elements.const(0), high, 1, lambda i: elements.element(array, [i]))


def _part(elements: Elements, value: Value, source: Op) -> Domain:
    """One of the iterables of ``enumerate`` or ``zip``."""
    made = value.definition
    if isinstance(made, Op) and made.kind == "Iterate":
        domain = _domain(elements, made)
    else:
        domain = _array(elements, value, source)
    if domain.step != 1 or not _is_zero(domain.low):
        raise Blocked("a range among several does not begin at 0, or has a step", source.span)
    return domain


def _is_zero(value: Value) -> bool:
    made = value.definition
    return isinstance(made, Op) and made.kind == "Const" and made.attributes["value"] == 0


def _zip(elements: Elements, source: Op) -> Domain:
    parts = [_part(elements, value, source) for value in source.operands]
    first, *others = (_length(elements, value) for value in source.operands)
    for other in others:
        if first is None or other is None:
            raise Blocked("nothing tells whether what zip goes over has one length", source.span)
        if other != first:
            elements.need("equal", first, other)
    high = parts[0].high
    return Domain(parts[0].low, high, 1, lambda i: [_one(part.element(i)) for part in parts])


def _length(elements: Elements, value: Value) -> Affine | None:
    made = value.definition
    if isinstance(made, Op) and made.kind == "Iterate":
        of_range = made.attributes["form"] == "range" and len(made.operands) == 1
        return elements.type(made.operands[0]).integer if of_range else None
    shape = elements.type(value).shape
    return shape[0] if shape else None


def _one(bound: Bound) -> One:
    if isinstance(bound, list):
        raise Blocked("the loop goes over pairs in pairs")
    return bound
