"""Stores in parts of arrays and in containers."""

from __future__ import annotations

import ast

from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.expressions.indexparts import as_entry, index_parts, note_mask
from gpuport.analysis.expressions.indexuses import (
    follow_base,
    is_element,
    is_named_by_caller,
    names_field,
    names_one,
    pin_unknown_entries,
    plain_index,
    tell_of_lists,
)
from gpuport.analysis.expressions.operators import operand
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.otherkinds import check_kind
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.statements.stores import PUT_WHERE, check_store, keep_apart, put_by_mask
from gpuport.analysis.statements.writtenloops import keys_gone_through
from gpuport.analysis.values.contents import key_of
from gpuport.analysis.values.lattice import Mapping, Sequence, Value, is_arraylike
from gpuport.analysis.values.nesting import put
from gpuport.source.syntax import walk


def store(
    unit: Unit,
    target: ast.Subscript,
    expression: ast.expr,
    flow: Flow,
    stored: Value | None = None,
) -> None:
    """``base[index] = value``; ``stored`` is what arrives there, where it is not that value."""
    base = evaluate(unit, target.value)
    if is_arraylike(base.value):
        _store_array(unit, target, base, expression, flow, stored or flow.value)
        return
    index = plain_index(unit, target.slice)
    if isinstance(target.value, ast.Name) and base.origin is None:
        unit.parameters.escaped.add(target.value.id)  # whatever it is, it is written
    if isinstance(base.value, (Sequence, Mapping)) and base.origin is not None:
        change_container(unit, target.value, base)
        unit.follow(target.value)
        key = key_of(index.value) if isinstance(base.value, Mapping) else None
        keys: list[str | None] = [key]
        if key is None and isinstance(base.value, Mapping):
            keys = [*keys_gone_through(unit, target.slice)] or [None]
        held = kept(unit, expression, flow)
        for one in keys:
            put(unit, base.origin, expression, held, key=one)
        return
    check_kind(unit, target.value, base, flow)
    unit.escape(expression, flow, escape_reason(unit, target))


def change_container(unit: Unit, node: ast.expr, base: Flow) -> None:
    """A container is changed: one that a caller passed in has to stay as it is."""
    root: ast.expr = node
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    if not isinstance(root, ast.Name) or base.origin is None:
        return
    parameter = unit.parameters.nodes.get(root.id)
    if parameter is not None and parameter.root() is base.origin.root():
        unit.graph.pin(base.origin, escape_reason(unit, node))
        unit.parameters.escaped.add(root.id)


def escape_reason(unit: Unit, target: ast.AST) -> Reason:
    """A store into something that is not known: others may see it."""
    return Reason(
        "GP902",
        f"it is stored in `{unit.module.segment(target)}`, which code that is not ported may read",
        target,
        "unknown-type",
    )


ORDERED_STORE = 4.0
"""Cost of a store for which the last of several values for one place is looked up: ten launches, on
few elements in a loop."""

LAUNCH = 0.75
"""Cost of storing one number on the device: nothing is gained, and something is launched."""


def _store_array(
    unit: Unit,
    target: ast.Subscript,
    base: Flow,
    expression: ast.expr,
    flow: Flow,
    stored: Value,
) -> None:
    parts, flows = index_parts(unit, target.slice)
    if base.origin is None:
        return
    names_field(unit, target, base, parts)
    row = getattr(base.value, "rank", None) not in (None, len(parts))
    element = not row and is_element(unit, target, _without_elements(parts, flows))
    single = element or is_named_by_caller(unit, target, base.value, parts)
    seen = id(target) in unit.work.operations
    one = single or names_one(base.value, parts)
    graph_node = unit.operation(target, "store", 0.0 if single else 1.0, one_element=one)
    if single and not seen:
        graph_node.root().device_cost += LAUNCH * unit.weight
    keep_apart(unit, target, base, parts, expression, flow, graph_node)
    unit.graph.unite(graph_node, base.origin)
    unit.mutate(base)
    pin_unknown_entries(unit, target, flows, base)
    follow_base(unit, target.slice, flows, base)
    check_store(unit, target, base.value, parts, stored, expression, graph_node)
    if not put_by_mask(unit, target, parts, stored, expression, graph_node):
        note_mask(unit, target, parts, graph_node)
    written = unit.work.rewrites.get(("stored", id(unit.statement)))
    ordered = written is not None and written.name != PUT_WHERE
    if ordered and not seen and unit.loops and not unit.in_stacked:
        graph_node.root().device_cost += ORDERED_STORE * unit.weight
    tell_of_lists(unit, flows, graph_node)
    if element and (flow.element or flow.origin is None or _of_a_grid(unit, target)):
        unit.element_work(target, base.origin, flow.origin)
    operand(unit, target, expression, flow, graph_node)


def _without_elements(
    parts: tuple[Value | str, ...], flows: list[tuple[ast.expr, Flow]]
) -> tuple[Value | str, ...]:
    """The entries of an index; elements that a loop picked are single numbers by all likelihood."""
    picked = [as_entry(flow.value) for _, flow in flows if flow.element]
    return tuple(part for part in parts if part not in picked)


def _of_a_grid(unit: Unit, node: ast.Subscript) -> bool:
    """Whether two nested loops go over the elements: whatever makes one is launched for each."""
    named = {n.id for n in walk(node.slice) if isinstance(n, ast.Name)}
    every = zip(unit.loops, unit.few, strict=True)
    return sum(not few and not named.isdisjoint(targets) for targets, few in every) > 1
