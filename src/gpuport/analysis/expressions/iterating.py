"""What going through a value gives: its items, and where they are."""

from __future__ import annotations

import ast
from functools import reduce

from gpuport.analysis.expressions.subscripts import share_element
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import hides
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Mapping,
    Object,
    Scalar,
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
    from gpuport.analysis.knowledge.probing import probe_index
    from gpuport.analysis.objects.operators import items_of_instance, object_iterated

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
        item = elements(value) or UNKNOWN
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


__all__ = ["iterate", "keep_mixed"]
