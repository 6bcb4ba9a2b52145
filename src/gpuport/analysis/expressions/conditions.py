"""Comparisons, tests, and what is chosen by them."""

from __future__ import annotations

import ast

from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.expressions.operators import operand, operator
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.classattributes import asks_only
from gpuport.analysis.placement.graph import Node, Reason, unsupported
from gpuport.analysis.values.lattice import (
    NONE,
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Unknown,
    is_arraylike,
    is_container,
    join,
    join_all,
    on_device_possible,
)
from gpuport.analysis.values.neverruns import each_narrowed, narrowed, never
from gpuport.cost.singles import picks


def compare(unit: Unit, node: ast.Compare) -> Flow:
    """A comparison: array work, unless no array takes part or it only asks for identity."""

    operands = [
        (e, Flow(Scalar("type")) if asks_only(unit, e) else evaluate(unit, e))
        for e in (node.left, *node.comparators)
    ]
    identity = all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
    for expression, flow in operands if identity else ():
        unit.follow(expression)
        if isinstance(flow.value, Number) and not flow.value.numpy_scalar:
            unit.to_host(expression, flow)  # Python's True is one object, one of the device is not
    if identity or not any(is_arraylike(flow.value) for _, flow in operands):
        keys = all(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        for expression, flow in operands if not identity else ():
            if is_container(flow.value) and not (keys and isinstance(flow.value, Mapping)):
                unit.escape(expression, flow, _comparison(node))
        return Flow(Scalar("bool") if _gives_bool(node, operands) else UNKNOWN)
    if any(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops):
        for expression, flow in operands:
            unit.to_host(expression, flow)
        return Flow(Scalar("bool"))
    result = operator(unit, node, type(node.ops[0]).__name__, operands[:2])
    if len(node.ops) == 1:
        return result
    if result.origin is not None:
        for expression, flow in operands[2:]:
            operand(unit, node, expression, flow, result.origin)
    return Flow(Number("bool"), result.origin, fresh=True)


def _gives_bool(node: ast.Compare, operands: list[tuple[ast.expr, Flow]]) -> bool:
    """Whether a comparison without known arrays is no comparison of arrays nobody knows of."""
    if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
        return True
    values = [flow.value for _, flow in operands]
    words = any(isinstance(v, Scalar) and v.type in ("str", "None") for v in values)
    return words or not any(isinstance(v, Unknown) for v in values)


def _comparison(node: ast.AST) -> Reason:
    return Reason("GP906", "lists of arrays are compared", node, "unsupported-syntax")


def test(unit: Unit, node: ast.expr) -> None:
    """An expression whose truth is asked for: on the device that costs a synchronisation."""
    if isinstance(node, ast.BoolOp):
        for value in each_narrowed(unit, node):
            test(unit, value)
            if never(unit, value, holds=isinstance(node.op, ast.And)):
                return  # what comes after it is not asked for
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        test(unit, node.operand)
        return
    unit.marked.tested.add(id(node))
    flow = evaluate(unit, node)
    unit.follow(node)
    if is_arraylike(flow.value) and flow.origin is not None:
        unit.wait(
            node, flow.origin, picked=_is_picked(unit, node, flow), named=_named(unit, node, flow)
        )
        if flow.element and unit.in_stacked:  # all of them are asked at once, where the items are
            flow.origin.root().host_cost += unit.weight
        elif flow.element:
            unit.element_work(node, flow.origin)


def _named(unit: Unit, node: ast.expr, flow: Flow) -> Node | None:
    """The number with a name of which a comparison asks, where all else of it is Python's."""
    parts = (node.left, *node.comparators) if isinstance(node, ast.Compare) else (node,)
    uses = [one for one in parts if (id(one), id(flow.origin)) in unit.graph.uses]
    return unit.named_number(*parts) if len(uses) <= 1 else None


def _is_picked(unit: Unit, node: ast.expr, flow: Flow) -> bool:
    """Whether a number is an element of an array by its place, or a comparison of such alone."""
    parts = (node.left, *node.comparators) if isinstance(node, ast.Compare) else ()
    uses = [unit.graph.uses.get((id(one), id(flow.origin))) for one in parts]
    viewed = any(uses) and all(use.view for use in uses if use is not None)
    return flow.view or viewed or picks(node)


def boolean(unit: Unit, node: ast.BoolOp) -> Flow:
    """``a and b`` as a value: either of them, after the truth of the first was asked."""

    flows = [(e, evaluate(unit, e)) for e in each_narrowed(unit, node)]
    text = unit.module.segment(node)[:60]
    reason = unsupported(node, f"`{text}` gives one of its operands, as it is")
    for expression, flow in flows:
        if isinstance(flow.value, (Array, Either)) or is_container(flow.value):
            unit.escape(expression, flow, reason)
        else:
            unit.to_host(expression, flow)
    if any(on_device_possible(flow.value) for _, flow in flows):
        return Flow(Unknown("the result of `and`/`or` on arrays"))
    *others, last = (flow.value for _, flow in flows)
    if isinstance(node.op, ast.Or):  # ``given or 1.0`` is never None
        others = [one for one in others if one != NONE]
    return Flow(join_all([*others, last]))


def conditional(unit: Unit, node: ast.IfExp) -> Flow:
    """``a if test else b``."""

    test(unit, node.test)
    for holds, runs in ((True, node.orelse), (False, node.body)):
        if never(unit, node.test, holds=holds):
            return evaluate(unit, runs)
    with narrowed(unit, node.test, holds=True):
        body = kept(unit, node.body, evaluate(unit, node.body))
    with narrowed(unit, node.test, holds=False):
        orelse = kept(unit, node.orelse, evaluate(unit, node.orelse))
    value = join(body.value, orelse.value)
    unit.lost(node, value, body.value, orelse.value)
    unit.follow(node.body)
    unit.follow(node.orelse)
    if body.origin is None and orelse.origin is None:
        return Flow(value)
    choice = unit.node_for("choice", node, "conditional expression")
    for expression, flow in ((node.body, body), (node.orelse, orelse)):
        if flow.origin is None:
            continue
        if flow.fresh and not is_container(flow.value):
            unit.use(expression, flow, choice, stored=True)
        else:
            unit.graph.unite(choice, flow.origin)
    if value == UNKNOWN:
        unit.pin(choice, "GP901", "unknown type: the branches differ", node, "unknown-type")
    element = all(flow.element or flow.origin is None for flow in (body, orelse))
    fresh = body.fresh and orelse.fresh
    return Flow(value, choice, body.view or orelse.view, fresh=fresh, element=element)


__all__ = ["boolean", "compare", "conditional", "test"]
