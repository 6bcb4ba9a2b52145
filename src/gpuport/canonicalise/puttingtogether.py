"""Statements that put something together with a value that goes from one iteration to the next."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpuport.canonicalise.accumulation import (
    EXTREMES,
    SUMS,
    Accumulated,
    neutral,
    same_operator,
)
from gpuport.canonicalise.arithmetic import callee_path
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.elements import Elements
from gpuport.ir.structure import Op, Value

#: How two values of one iteration are put together before they meet the carried one. Python's
#: extremes skip NaN, so the one of two that is no NaN is kept.
PAIRS = {
    "max": "numpy.fmax",
    "min": "numpy.fmin",
    "maximum": "numpy.maximum",
    "minimum": "numpy.minimum",
}


def put_together(elements: Elements, op: Op) -> Accumulated | None:
    """What an operation makes of a carried value; None for operations on other values."""
    if op.kind in ("Binary", "InPlace") and op.attributes["operator"] in SUMS:
        left, right = op.operands
        symbol = op.attributes["operator"]
        total = elements.accumulated(left)
        if total is not None:
            term = elements.number(right)
            if symbol == "-":
                term = _negated(elements, term, right, op)
            return _extended(elements, total, SUMS[symbol], term, op)
        total = elements.accumulated(right)
        if total is not None and symbol != "-":
            return _extended(elements, total, SUMS[symbol], elements.number(left), op)
    if op.kind == "Call" and len(op.operands) == 3 and not op.attributes["keywords"]:
        operator = EXTREMES.get(callee_path(elements, op))
        total = elements.accumulated(op.operands[1])
        if operator is not None and total is not None:
            return _extended(elements, total, operator, elements.number(op.operands[2]), op)
    return None


def _negated(elements: Elements, term: Value, right: Value, op: Op) -> Value:
    """Less a term, in the type of the sum: less an unsigned number would be a large one."""
    wide = elements.as_in(term, op.result)
    like = right if wide is term else op.result
    return elements.value("Unary", [wide], like, op.span, operator="-")


def _extended(
    elements: Elements, total: Accumulated, operator: str, term: Value, op: Op
) -> Accumulated:
    same_operator(total.operator, operator, total.start)
    if operator in ("+", "*"):
        term = elements.as_in(term, op.result)
    if total.term is not None:
        term = pair(elements, operator, total.term, term, op)
    return Accumulated(total.start, operator, term)


def pair(elements: Elements, operator: str, one: Value, other: Value, op: Op) -> Value:
    """Two values of one iteration, put together."""
    like = elements.like.get(one, one)
    if operator in PAIRS:
        return elements.value("Elementwise", [one, other], like, op.span, path=PAIRS[operator])
    return elements.value("Binary", [one, other], like, op.span, operator=operator)


@dataclass
class Meeting:
    """What the arms of an ``If`` give for one of its results."""

    result: Value
    arms: list[Value | Accumulated]
    totals: list[Accumulated] = field(init=False)
    operator: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.totals = [arm for arm in self.arms if isinstance(arm, Accumulated)]
        if self.totals and len(self.totals) < len(self.arms):
            raise Blocked(f"`{self.totals[0].start.name}` is set under a condition")
        for total in self.totals:
            self.operator = same_operator(self.operator, total.operator, total.start)

    @property
    def is_told(self) -> bool:
        """Whether the ``If`` gives a value for it: none for a total that no arm touches."""
        return not self.totals or self.operator is not None

    def yielded(self, elements: Elements, place: int) -> list[Value]:
        """What an arm yields for it."""
        arm = self.arms[place]
        if isinstance(arm, Value):
            return [arm]
        if self.operator is None:
            return []
        if arm.term is not None:
            return [arm.term]
        value = neutral(self.operator, elements.dtype_everywhere(self.result))
        return [elements.value("Const", (), self.result, value=value)]

    def finish(self, elements: Elements, new: Value | None) -> None:
        """Let the result of the program be what the arms gave."""
        if self.totals:
            elements.numbers[self.result] = Accumulated(self.totals[0].start, self.operator, new)
        elif new is not None:
            elements.numbers[self.result], new.name = new, self.result.name
