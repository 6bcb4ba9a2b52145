"""Statements that put something together with a value that goes from one iteration to the next."""

from __future__ import annotations

from gpuport.canonicalise.accumulation import (
    EXTREMES,
    SUMS,
    Accumulated,
    same_operator,
)
from gpuport.canonicalise.arithmetic import callee_path
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
        total = _changed(elements, op, left)
        if total is not None:
            term = elements.number(right)
            if symbol == "-":
                term = _negated(elements, term, right, op)
            return _extended(elements, total, SUMS[symbol], term, op)
        total = _changed(elements, op, right)
        if total is not None and symbol != "-":
            return _extended(elements, total, SUMS[symbol], elements.number(left), op)
    if op.kind == "Call" and len(op.operands) == 3 and not op.attributes["keywords"]:
        operator = EXTREMES.get(callee_path(elements, op))
        total = _changed(elements, op, op.operands[1])
        if operator is not None and total is not None:
            return _extended(elements, total, operator, elements.number(op.operands[2]), op)
    return None


def _changed(elements: Elements, op: Op, value: Value) -> Accumulated | None:
    """A carried value that an operation puts something to, and does not only read."""
    total, reader = elements.accumulated(value), elements.reader
    only_read = total and reader and not reader.changes(total.start, op.result)
    return None if only_read else total


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
