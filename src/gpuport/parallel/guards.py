"""What conditions of a region say of the indices of its loops: ``if i < n - 1: u[i + 1]``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from gpuport.ir.structure import Op, Region, Value
from gpuport.parallel.linear import Linear

Ends = tuple[Linear, Linear]
NEGATED = {"<": ">=", ">": "<=", "<=": ">", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True, slots=True)
class Form:
    """A sum of indices times numbers, and of what is the same for all of them."""

    indices: tuple[tuple[Value, int], ...]
    rest: Linear

    def plus(self, other: Form, sign: int) -> Form:
        """The sum with another one, or the difference."""
        factors = dict(self.indices)
        for index, factor in other.indices:
            factors[index] = factors.get(index, 0) + sign * factor
        kept = tuple((index, factor) for index, factor in factors.items() if factor)
        return Form(kept, self.rest + other.rest.times(sign))

    def times(self, factor: int) -> Form:
        """The product with a number."""
        indices = tuple((index, one * factor) for index, one in self.indices)
        return Form(indices if factor else (), self.rest.times(factor))


@dataclass(frozen=True, slots=True)
class Bound:
    """What an index is at most (``above``), at least (``below``), or never (``other``)."""

    index: Value
    bound: Linear
    way: str


class Guards:
    """Reads conditions.

    Parameters
    ----------
    exact : callable
        What a whole number is that is the same at all points; None for others.
    """

    def __init__(self, exact: Callable[[Value], Linear | None]) -> None:
        self._exact = exact

    def bounds(self, test: Value, *, holds: bool) -> Iterator[Bound]:
        """What a condition says of single indices where it holds, or where it does not."""
        for form, is_other in self._told(test, holds=holds):
            if len(form.indices) == 1 and abs(form.indices[0][1]) == 1:
                index, sign = form.indices[0]
                way = "other" if is_other else "above" if sign < 0 else "below"
                yield Bound(index, form.rest.times(-sign), way)

    def _told(self, test: Value, *, holds: bool) -> Iterator[tuple[Form, bool]]:
        """Sums that are not negative, or others than zero, where a condition holds."""
        made = test.definition
        if not isinstance(made, Op):
            return
        if made.kind == "Unary" and made.attributes["operator"] == "not":
            yield from self._told(made.operands[0], holds=not holds)
        elif made.kind == "Compare":
            yield from self._compared(made, holds=holds)
        elif made.kind == "If" and len(made.results) == 1:
            yield from self._chosen(made, holds=holds)

    def _chosen(self, op: Op, *, holds: bool) -> Iterator[tuple[Form, bool]]:
        """``a and b`` where it holds, ``a or b`` where it does not: both sides are told."""
        then, orelse = (region.terminator for region in op.regions)
        if then.kind != "Yield" or orelse.kind != "Yield":
            return
        short, rest = (orelse, then) if holds else (then, orelse)
        if short.operands[0] is op.operands[0] or _is_constant(short.operands[0], not holds):
            yield from self._told(op.operands[0], holds=holds)
            yield from self._told(rest.operands[0], holds=holds)

    def _compared(self, op: Op, *, holds: bool) -> Iterator[tuple[Form, bool]]:
        symbol = op.attributes["operator"]
        if symbol not in NEGATED:
            return
        symbol = symbol if holds else NEGATED[symbol]
        left, right = (self.form(value) for value in op.operands)
        if left is None or right is None:
            return
        one = Form((), Linear((), 1))
        if symbol == "!=":
            yield left.plus(right, -1), True
        if symbol in ("<", "<=", "=="):
            distance = right.plus(left, -1)
            yield (distance.plus(one, -1) if symbol == "<" else distance), False
        if symbol in (">", ">=", "=="):
            distance = left.plus(right, -1)
            yield (distance.plus(one, -1) if symbol == ">" else distance), False

    def form(self, value: Value) -> Form | None:
        """A whole number as a sum of indices; None for others."""
        made = value.definition
        exact = self._exact(value)
        if exact is not None:
            return Form((), exact)
        if isinstance(made, Region):
            return Form(((value, 1),), Linear())
        if not isinstance(made, Op) or made.kind != "Binary":
            return None
        left, right = (self.form(operand) for operand in made.operands)
        symbol = made.attributes["operator"]
        if left is None or right is None or symbol not in ("+", "-", "*"):
            return None
        if symbol != "*":
            return left.plus(right, 1 if symbol == "+" else -1)
        for one, other in ((left, right), (right, left)):
            if not one.indices and one.rest.number is not None:
                return other.times(one.rest.number)
        return None


def tightened(known: Mapping[Value, Ends | None], bounds: Iterable[Bound]) -> dict[Value, Ends]:
    """The ends of indices that bounds change; of two ends that cannot be compared, the new one."""
    found: dict[Value, Ends] = {}
    for one in bounds:
        ends = found.get(one.index) or known.get(one.index)
        if ends is None:
            continue
        low, high = ends
        below, above = (one.bound - low).number, (high - one.bound).number
        if one.way == "above" and (above is None or above > 0):
            high = one.bound
        elif one.way == "below" and (below is None or below > 0):
            low = one.bound
        elif one.way == "other":
            low = low + Linear((), 1 if below == 0 else 0)
            high = high - Linear((), 1 if above == 0 else 0)
        found[one.index] = low, high
    return found


def _is_constant(value: Value, what: bool) -> bool:
    made = value.definition
    is_constant = isinstance(made, Op) and made.kind == "Const"
    return isinstance(made, Op) and is_constant and made.attributes["value"] is what
