"""Reductions of arrays, and matrix products: sums over an index."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements, Indices
from gpuport.canonicalise.knowledge import element_rules
from gpuport.canonicalise.writer import Like
from gpuport.ir.extents import Affine
from gpuport.ir.structure import Op, Region, Value

#: Constant extents up to this are unrolled, so that small arrays become numbers.
UNROLL = 8
TRUTHS = ("|", "&")
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
        index = elements.counter(region, "k")
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
    how = element_rules().reductions[path]
    if how == "norm" and positional:
        raise Blocked("a norm is not that of NumPy's default", op.span)
    axis = named.get("axis") or (positional[0] if positional else None)
    axes = _axes(elements, axis, len(shape), op)

    def along(operator: str, term: Callable[[Value], Value], like: Like) -> Value:
        """The terms of the elements along the axes, put together."""

        def nest(done: int, chosen: dict[int, Value]) -> Value:
            if done == len(axes):
                rest = iter(indices)
                whole = [chosen[a] if a in chosen else next(rest) for a in range(len(shape))]
                return term(elements.snapshot(array, whole))
            here = axes[done]
            size = shape[here]
            extent = (size, lambda: elements.extent(array, here))
            if operator in EXTREMES and size is not None:
                elements.need("least", size, Affine((), 1))  # NumPy raises for none
            inner = lambda i: nest(done + 1, {**chosen, here: i})  # noqa: E731
            return put_together(elements, operator, extent, like, inner)

        return nest(0, {})

    sizes = [(array, axis) for axis in axes]
    return Along(elements, op, array, sizes, along).reduced(how)


@dataclass(frozen=True, slots=True)
class Along:
    """A reduction, and how terms are put together along its axes."""

    elements: Elements
    op: Op
    array: Value
    sizes: list[tuple[Value, int]]
    along: Callable[[str, Callable[[Value], Value], Like], Value]

    def reduced(self, how: str) -> Value:
        """An element of what the reduction gives."""
        result = self.op.result
        if how in WAYS:
            return WAYS[how](self)
        if how in EXTREMES:
            return self.along(how, lambda element: element, result)
        if how in TRUTHS:
            return self.along(how, self._truth, result)
        return self.along(how, self._as_result, result)

    def _as_result(self, element: Value) -> Value:
        return self.elements.as_in(element, self.op.result)

    def _truth(self, element: Value) -> Value:
        zero = self.elements.const(0)
        return self.elements.value("Compare", [element, zero], self.op.result, operator="!=")

    def _binary(self, symbol: str, left: Value, right: Value) -> Value:
        return self.elements.value(
            "Binary", [left, right], self.op.result, self.op.span, operator=symbol
        )

    def _divided(self, total: Value) -> Value:
        for base, axis in self.sizes:
            total = self._binary("/", total, self.elements.extent(base, axis))
        return total

    def mean(self) -> Value:
        """An element of the mean."""
        return self._divided(self.along("+", self._as_result, self.op.result))

    def variance(self) -> Value:
        """An element of the variance, of NumPy's defaults."""
        self._check_real()
        mean = self.mean()

        def squared(element: Value) -> Value:
            distance = self._binary("-", self._as_result(element), mean)
            return self._binary("*", distance, distance)

        return self._divided(self.along("+", squared, self.op.result))

    def deviation(self) -> Value:
        """An element of the standard deviation."""
        return self._root(self.variance())

    def norm(self) -> Value:
        """An element of the root of the sum of squares."""
        self._check_real()

        def squared(element: Value) -> Value:
            number = self._as_result(element)
            return self._binary("*", number, number)

        return self._root(self.along("+", squared, self.op.result))

    def _root(self, total: Value) -> Value:
        return self.elements.value(
            "Elementwise", [total], self.op.result, self.op.span, path="numpy.sqrt"
        )

    def _check_real(self) -> None:
        dtype = self.elements.type(self.array).dtype
        if dtype is None or dtype.startswith("complex"):
            raise Blocked("nothing tells that an array is real", self.op.span)


WAYS: dict[str, Callable[[Along], Value]] = {
    "mean": Along.mean,
    "variance": Along.variance,
    "deviation": Along.deviation,
    "norm": Along.norm,
}


def _axes(elements: Elements, axis: Value | None, rank: int, op: Op) -> list[int]:
    if axis is None or elements.type(axis).kind == "none":
        return list(range(rank))
    number = elements.type(axis).number
    if number is None or not -rank <= number < rank:
        raise Blocked("a reduction goes along an axis that nothing tells", op.span)
    return [number % rank]
