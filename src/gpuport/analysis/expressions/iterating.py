"""What going through a value gives: its items, and where they are."""

from __future__ import annotations

import ast
from dataclasses import replace
from functools import reduce

from gpuport.analysis.expressions.evaluation import share_element
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_index
from gpuport.analysis.objects.claims import hides
from gpuport.analysis.objects.operators import items_of_instance, object_iterated
from gpuport.analysis.values.lattice import (
    EMPTY,
    UNKNOWN,
    Array,
    Mapping,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    is_arraylike,
    is_container,
    on_device_possible,
)


def iterate(unit: Unit, node: ast.AST, expression: ast.expr, flow: Flow):  # type: ignore[no-untyped-def]
    """What iterating a value gives, and the group that the items belong to."""
    handed_out = object_iterated(unit, expression, flow)
    if handed_out is not None:
        return iterate(unit, node, expression, handed_out)
    items = items_of_instance(unit, expression, flow)
    if items:
        one = reduce(unit.join_flows, items)
        return one.value, one.origin
    value = flow.value
    if not isinstance(value, Object):  # the items of a named tuple are not followed one by one
        unit.follow(expression)
    if isinstance(value, Mapping):  # its keys
        return Scalar(), None
    if is_container(value):
        item = _unsure(elements(value))
        if isinstance(value, Tuple):
            unit.lost(expression, item, *value.items)
        keep_mixed(unit, expression, flow, item)
        return item, unit.item_of(flow.origin, item)
    if is_arraylike(value) and flow.origin is not None:
        item = probe_index(value, (Scalar("int", 0),))
        flow.origin.root().iterated = True
        if not isinstance(item, Array):
            share_element(unit, node, flow.origin)
        return item, flow.origin
    if isinstance(value, Scalar):
        return Scalar(), None
    return unit.knowledge.words.part(value) or UNKNOWN, None


def numbers_apart(unit: Unit, expression: ast.expr, flow: Flow) -> Flow:
    """The numbers that a loop takes one by one out of an array, which may cross before it begins.

    Where the array is changed they stay with it: a loop over an array sees that.
    """
    taken = isinstance(flow.value, Array) and flow.value.rank == 1 and not unit.in_stacked
    base = expression
    while isinstance(base, ast.Subscript):
        base = base.value
    if not taken or flow.origin is None or not isinstance(base, (ast.Call, ast.Name)):
        return flow
    made = flow.origin.root()
    given = (use for use in unit.graph.uses.values() if use.consumer.root() is made)
    from_numbers = isinstance(expression, ast.Call) and all(u.producer is unit.host for u in given)
    numbers = unit.node_for("numbers", expression, "numbers that a loop takes")
    if from_numbers:  # `np.arange(0.0, 1.0, h)`
        unit.pin(numbers, "GP407", "Python goes over its numbers one by one", expression)
    unit.use(expression, flow, numbers)
    if (numbers, flow.origin) not in unit.memory.taken:
        unit.memory.taken.append((numbers, flow.origin))
    return replace(flow, origin=numbers, fresh=False)


def is_nothing_yet(value: Value) -> bool:
    """Whether nothing has been put yet into what is gone through, as far as it has been read."""
    return isinstance(value, Sequence) and _is_nothing(value.of)


def _is_nothing(item: Value) -> bool:
    if isinstance(item, Tuple) and item.items:  # of what is gone through side by side
        return any(map(_is_nothing, item.items))
    return item == EMPTY


def _unsure(item: Value | None) -> Value:
    """An item, of which nothing is known where nothing was seen to be put."""
    if isinstance(item, Tuple):
        return replace(item, items=tuple(map(_unsure, item.items)))
    return UNKNOWN if item is None or item == EMPTY else item


def keep_mixed(unit: Unit, expression: ast.expr, flow: Flow, item: Value) -> None:
    """What is one thing here and another there goes on as something that is not known."""
    if flow.origin is None or not on_device_possible(flow.value):
        return
    held = flow.value.items if isinstance(flow.value, Tuple) else ()
    if not isinstance(item, Unknown) and not any(hides(item, one) for one in held):
        return
    text = unit.module.segment(expression)[:60]
    message = f"unknown type: `{text}` holds arrays and other things, which are gone through as one"
    unit.pin(flow.origin, "GP901", message, expression, "unknown-type")


__all__ = ["is_nothing_yet", "iterate", "keep_mixed", "numbers_apart"]
