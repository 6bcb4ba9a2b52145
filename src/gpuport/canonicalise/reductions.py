"""Reductions of arrays, and matrix products: sums over an index."""

from __future__ import annotations

from collections.abc import Callable

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements, Indices
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.writer import INDEX, Like
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Region, Value

#: Constant extents up to this are unrolled, so that small arrays become numbers.
UNROLL = 8
EXTREMES = ("maximum", "minimum")


def put_together(
    elements: Elements,
    operator: str,
    extent: tuple[Affine | None, Callable[[], Value]],
    like: Like,
    body: Callable[[Value], Value],
) -> Value:
    """A sum (or a product, or an extreme) over an index from 0 to an extent."""
    known, size = extent
    if known is not None and known.number is not None and 0 < known.number <= UNROLL:
        total = body(elements.const(0))
        for place in range(1, known.number):
            total = _pair(elements, operator, total, body(elements.const(place)), like)
        return total
    low, high = elements.const(0), size()
    with elements.inside(Region()) as region:
        index = elements.parameter(region, "k", INDEX)
        elements.end("Yield", [body(index)])
    return elements.emit(
        "Reduce", [low, high], [like], regions=(region,), operator=operator, step=1
    ).result


def _pair(elements: Elements, operator: str, one: Value, other: Value, like: Like) -> Value:
    if operator in EXTREMES:
        return elements.value("Elementwise", [one, other], like, path=f"numpy.{operator}")
    return elements.value("Binary", [one, other], like, operator=operator)


def product(elements: Elements, op: Op, left: Value, right: Value, indices: Indices) -> Value:
    """An element of a matrix product.

    The one rule for all ranks of 1 and 2: the summed axis is the last of the left operand and the
    last but one (the only one) of the right; rows come from the left, columns from the right.
    """
    one, other = elements.type(left).shape, elements.type(right).shape
    if not one or not other or len(one) > 2 or len(other) > 2:
        raise Blocked("a product is not one of vectors and matrices", op.span)
    rows = indices[: len(one) - 1]
    columns = indices[len(rows) :]
    inner, same = one[-1], other[0]
    if inner is None or same is None:
        raise Blocked("nothing tells the sizes of a product", op.span)
    if inner != same:
        elements.need("equal", inner, same)
        inner = same if same.number is not None else inner

    def term(index: Value) -> Value:
        factors = [
            elements.snapshot(left, [*rows, index]),
            elements.snapshot(right, [index, *columns]),
        ]
        return elements.value("Binary", factors, op.result, op.span, operator="*")

    axis = len(one) - 1
    extent = (inner, lambda: elements.extent(left, axis))
    return put_together(elements, "+", extent, op.result, term)


def reduction(
    elements: Elements, op: Op, path: str, array: Value, more: list[Value], indices: Indices
) -> Value:
    """An element of what a reduction of an array gives."""
    shape = elements.type(array).shape
    keywords = op.attributes["keywords"]
    named = dict(zip(keywords, op.operands[len(op.operands) - len(keywords) :], strict=True))
    positional = more[: len(more) - len(keywords)]
    if shape is None or set(named) - {"axis"} or len(positional) > 1:
        raise Blocked("a reduction has more than an axis", op.span)
    axis = named.get("axis") or (positional[0] if positional else None)
    axes = _axes(elements, axis, len(shape), op)
    how = element_rules().reductions[path]

    def nest(done: int, chosen: dict[int, Value]) -> Value:
        if done == len(axes):
            rest = iter(indices)
            whole = [chosen[a] if a in chosen else next(rest) for a in range(len(shape))]
            element = elements.snapshot(array, whole)
            return element if how in EXTREMES else elements.as_in(element, op.result)
        here = axes[done]
        size = shape[here]
        extent = (size, lambda: elements.extent(array, here))
        if how in EXTREMES and size is not None:
            elements.need("least", size, Affine((), 1))  # NumPy raises for none
        operator = "+" if how == "mean" else how
        return put_together(
            elements, operator, extent, op.result, lambda i: nest(done + 1, {**chosen, here: i})
        )

    total = nest(0, {})
    for here in axes if how == "mean" else ():
        size = elements.extent(array, here)
        total = elements.value("Binary", [total, size], op.result, op.span, operator="/")
    return total


def _axes(elements: Elements, axis: Value | None, rank: int, op: Op) -> list[int]:
    if axis is None or elements.type(axis).kind == "none":
        return list(range(rank))
    number = elements.type(axis).number
    if number is None or not -rank <= number < rank:
        raise Blocked("a reduction goes along an axis that nothing tells", op.span)
    return [number % rank]
