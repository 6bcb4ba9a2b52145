"""What an assignment does to its targets: names, items, attributes, parts of arrays."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.analysis.expressions.evaluation import evaluate, kept, share_element
from gpuport.analysis.interpretation.flows import Flow, place_of, tuple_item
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_index
from gpuport.analysis.objects.classattributes import attribute_of_class, open_methods
from gpuport.analysis.placement.graph import unsupported
from gpuport.analysis.project.modulenames import bind_global, is_global
from gpuport.analysis.statements.inplace import is_part, store_part
from gpuport.analysis.statements.partstores import escape_reason, store
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    is_arraylike,
    is_container,
    on_device_possible,
)
from gpuport.analysis.values.nesting import take
from gpuport.source.syntax import dotted


def assign(unit: Unit, target: ast.expr, expression: ast.expr, flow: Flow) -> None:
    """Bind a target of an assignment, loop or comprehension."""
    if isinstance(target, ast.Name):
        if unit.name == "<module>" or target.id not in unit.scope.outside:
            unit.follow(expression)
            unit.bind(target.id, target, expression, kept(unit, expression, flow))
        elif is_global(unit, target.id):
            bind_global(unit, target, expression, kept(unit, expression, flow))
        else:
            unit.escape(expression, flow, escape_reason(unit, target))
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(unit, target, expression, flow)
    elif isinstance(target, ast.Subscript):
        store(unit, target, expression, flow)
    elif isinstance(target, ast.Attribute):
        shared = attribute_of_class(unit, target)
        base = evaluate(unit, target.value) if shared is None else Flow(shared)
        if isinstance(base.value, Object) and unit.objects is not None:
            unit.follow(target.value)
            held = kept(unit, expression, flow)
            if shared is not None:
                open_methods(unit, target, flow)
            unit.objects.store(unit, target, base.value.name, target.attr, expression, held)
            return
        if unit.objects is not None:
            unit.objects.unknown_base(unit, target, base.value)
        if is_part(target, base):
            store_part(unit, target, base, expression, flow)
            return
        if is_arraylike(base.value):  # x.shape = ...
            unit.escape(target.value, base, escape_reason(unit, target))
        unit.escape(expression, flow, escape_reason(unit, target))
        if flow.fresh and is_container(flow.value) and flow.origin is not None:
            unit.graph.pin(flow.origin, escape_reason(unit, target))
    elif isinstance(target, ast.Starred):
        unit.escape(expression, flow, unsupported(target, "a starred target"))
        assign(unit, target.value, expression, Flow(UNKNOWN))


def _unpack(unit: Unit, target: ast.Tuple | ast.List, expression: ast.expr, flow: Flow) -> None:
    if isinstance(flow.value, Object) and _unpacks_fields(unit, target, expression, flow.value):
        return
    taken = _without_rest(unit, target, flow)
    if taken is not None:
        target, flow = taken
    starred = any(isinstance(t, ast.Starred) for t in target.elts)
    if starred and isinstance(flow.value, Sequence) and not flow.value.literal:
        unit.follow(expression)
        with unit.whole():
            _unpack_alike(unit, target, expression, flow, flow.value)
        return
    if starred:
        unit.escape(expression, flow, unsupported(target, "a starred target"))
        for inner in target.elts:
            assign(
                unit,
                inner.value if isinstance(inner, ast.Starred) else inner,
                expression,
                Flow(UNKNOWN),
            )
        return
    if isinstance(expression, ast.Tuple) and len(expression.elts) == len(target.elts):
        # The right side is evaluated as a whole first: views read there are snapshots.
        flows = [kept(unit, e, evaluate(unit, e)) for e in expression.elts]
        for inner, source, one in zip(target.elts, expression.elts, flows, strict=True):
            assign(unit, inner, source, one)
        return
    if isinstance(flow.value, (Tuple, Sequence)):
        unit.follow(expression)
    if _unpacks_results(unit, target, expression, flow):
        return
    if flow.origin is not None and flow.fresh:
        origin = flow.origin
        group = unit.node_for("unpacked", target, "unpacked", told_apart=unit.is_followed)
        if isinstance(flow.value, Array) and (flow.value.rank or 0) > 1:
            # The array is moved before it is taken apart, as if it had a name of its own.
            unit.use(expression, flow, group, stored=True)
            flow = Flow(flow.value, group, ordered=flow.ordered)
        else:
            unit.graph.unite(group, origin)
    with unit.whole():
        for index, inner in enumerate(target.elts):
            assign(unit, inner, expression, _item_of(unit, target, flow, index))


def _unpack_alike(
    unit: Unit, target: ast.Tuple | ast.List, expression: ast.expr, flow: Flow, value: Sequence
) -> None:
    """``first, *rest = arrays``, where all items are alike: the rest is a list of such."""
    for inner in target.elts:
        if isinstance(inner, ast.Starred):
            rest = Flow(Sequence(value.of), flow.origin)
            assign(unit, inner.value, expression, rest)
        else:
            assign(unit, inner, expression, _item_of(unit, target, flow, 0))


def _unpacks_fields(
    unit: Unit, target: ast.Tuple | ast.List, expression: ast.expr, held: Object
) -> bool:
    """``x, v = state``, where ``state`` is a named tuple of the module."""
    if unit.objects is None:
        return False
    flows = unit.objects.items(unit, expression, held)
    starred = any(isinstance(e, ast.Starred) for e in target.elts)
    if flows is None or starred or len(flows) != len(target.elts):
        unit.objects.open(held.name, expression, "an instance is unpacked")
        return False
    unit.follow(expression)
    with unit.whole():
        for inner, flow in zip(target.elts, flows, strict=True):
            assign(unit, inner, expression, flow)
    return True


def _without_rest(
    unit: Unit, target: ast.Tuple | ast.List, flow: Flow
) -> tuple[ast.Tuple, Flow] | None:
    """``a, *_ = f(...)``, where nothing reads the rest: as if only ``a`` were unpacked."""
    places = [i for i, e in enumerate(target.elts) if isinstance(e, ast.Starred)]
    if len(places) != 1 or not isinstance(flow.value, Tuple):
        return None
    starred = target.elts[places[0]]
    rest = len(flow.value.items) - len(target.elts) + 1
    if rest < 0 or not isinstance(starred, ast.Starred) or not _unread(unit, starred.value):
        return None
    assert isinstance(starred.value, ast.Name)
    items = flow.value.items
    kept_items = (*items[: places[0]], *items[places[0] + rest :])
    unit.env[starred.value.id] = Flow(UNKNOWN)
    return unit.project.equivalents.without_rest(target), replace(flow, value=Tuple(kept_items))


def _unread(unit: Unit, target: ast.expr) -> bool:
    """Whether a name is bound and never looked at."""
    if not isinstance(target, ast.Name) or isinstance(unit.node, ast.Module):
        return False
    scopes = [unit.scope]
    for scope in scopes:
        scopes.extend(scope.children)
    return target.id not in unit.scope.outside and not any(target.id in s.loads for s in scopes)


def _unpacks_results(
    unit: Unit, target: ast.Tuple | ast.List, expression: ast.expr, flow: Flow
) -> bool:
    """``a, b = f(...)``: each result has a place of its own; a line of its own moves it."""
    statement = unit.statement
    if (
        flow.origin is None
        or not flow.fresh
        or not isinstance(flow.value, Tuple)
        or len(flow.value.items) != len(target.elts)
        or not isinstance(statement, ast.Assign)
        or statement.value is not expression
        or not all(_is_local(unit, e) or _keeps(unit, e) for e in target.elts)
        or not all(is_arraylike(v) or not on_device_possible(v) for v in flow.value.items)
        or not unit.module.stands_alone(statement)
    ):
        return False
    for inner, value in zip(target.elts, flow.value.items, strict=True):
        name = dotted(inner) or ""
        if isinstance(inner, ast.Name) and unit.trace is not None:
            unit.trace.bound(name, inner, Flow(value, flow.origin))
        held = Flow(value)
        if on_device_possible(value):
            held = Flow(value, unit.node_for("name", inner, name))
            assert held.origin is not None
            unit.graph.use(
                inner, flow.origin, held.origin, value, unit.weight,
                movable=not isinstance(value, Number), after=statement,
            )  # fmt: skip
        if not _is_local(unit, inner):
            assign(unit, inner, expression, held)
            continue
        unit.env[name] = held
        if held.origin is not None:
            unit.stay(name)
    return True


def _is_local(unit: Unit, target: ast.expr) -> bool:
    """Whether a target is a name that no other function is given by this binding."""
    return isinstance(target, ast.Name) and target.id not in unit.scope.outside


def _keeps(unit: Unit, target: ast.expr) -> bool:
    """Whether a target is followed, an attribute or a name of the module, and merely keeps what is
    stored in it: it can be stored there once more."""
    if isinstance(target, ast.Name):
        return is_global(unit, target.id)
    if unit.objects is None or not isinstance(target, ast.Attribute):
        return False
    if not isinstance(target.value, ast.Name) or attribute_of_class(unit, target) is not None:
        return False
    base = evaluate(unit, target.value).value
    return isinstance(base, Object) and unit.objects.merely_keeps(base, target.attr)


def _item_of(unit: Unit, node: ast.AST, flow: Flow, index: int) -> Flow:
    key = None
    if flow.origin is not None and flow.origin.apart is not None:
        item = tuple_item(flow.value, index)
        origin = flow.origin.apart[index] if on_device_possible(item) else None
        return Flow(item, origin, view=not isinstance(item, Number))
    if is_container(flow.value) and not isinstance(flow.value, Mapping):
        item, key = tuple_item(flow.value, index), place_of(flow.value, index)
        take(unit, node, flow, item)
        if isinstance(item, Number) and flow.origin is not None:
            # What was put there is a copy already; the container itself is not to be copied.
            return Flow(item, unit.item_of(flow.origin, item, key))
    elif is_arraylike(flow.value):
        item = probe_index(flow.value, (Scalar("int", 0),))
        if flow.origin is not None and not flow.fresh and not isinstance(item, Array):
            share_element(unit, node, flow.origin)
    else:
        item = unit.knowledge.words.part(flow.value) or UNKNOWN
    return Flow(item, unit.item_of(flow.origin, item, key), view=True)


def bind_item(unit: Unit, target: ast.expr, expression: ast.expr, flow: Flow) -> None:
    """A loop target is bound to an element; nothing is transferred there."""
    if isinstance(target, ast.Name):
        flow = unit.refresh(flow)
        if unit.trace is not None:
            unit.trace.bound(target.id, target, flow)
        if flow.origin is not None and flow.origin.root().iterated:
            single = isinstance(flow.value, (Number, Either))
            flow = replace(flow, element=flow.element or single)
        unit.env[target.id] = flow
        unit.stay(target.id)
        return
    if isinstance(target, (ast.Tuple, ast.List)):
        for index, inner in enumerate(target.elts):
            if isinstance(inner, ast.Starred):
                bind_item(unit, inner.value, expression, Flow(UNKNOWN, flow.origin))
                continue
            bind_item(unit, inner, expression, _item_of(unit, target, flow, index))
        return
    assign(unit, target, expression, flow)


def swaps_tuple(node: ast.Assign) -> bool:
    """Whether it is ``a, b = c, d``: each target has an expression of its own."""
    target = node.targets[0]
    return (
        isinstance(target, ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and len(target.elts) == len(node.value.elts)
        and not any(isinstance(e, ast.Starred) for e in (*target.elts, *node.value.elts))
    )


__all__ = ["assign", "bind_item", "swaps_tuple"]
