"""The value of an expression; each kind of expression has a reader of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node, Reason, unsupported
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import (
    ASIDE,
    EMPTY,
    UNKNOWN,
    Either,
    Number,
    Unknown,
    is_container,
)
from gpuport.source.syntax import children

HANDLERS: dict[type[ast.expr], Callable[[Unit, Any], Flow]] = {}
"""What reads each kind: `kinds` says it."""


def evaluate(unit: Unit, node: ast.expr) -> Flow:
    """Interpret an expression.

    Returns
    -------
    Flow
        What is known of its value and where it comes from.
    """
    unit.project.budget.take(id(unit.node))
    flow = HANDLERS.get(node.__class__, not_followed)(unit, node)
    value = flow.value
    unknown = value.__class__ is Unknown
    told = unit.project.calls.plain(unit, node) if unknown and value != EMPTY else None
    if told is not None:
        unknown, value = False, told
        flow = Flow(told)
    apart = unknown and value == ASIDE
    if apart:  # a value of the host, as all are of which nothing is known
        value = Unknown(f"`{unit.module.segment(node)[:60]}`")
        flow = Flow(value)
    if unit.trace is not None:
        unit.trace.saw(node, flow)
    if unit.objects is not None and objects_in(value):
        unit.unfollowed[id(node)] = (node, value)
    if flow.origin is not None and is_container(value):
        unit.containers[id(node)] = flow
    elif unknown and unit.containers and not apart:
        _keep_contents(unit, node, flow)
    return flow


def _keep_contents(unit: Unit, node: ast.expr, flow: Flow) -> None:
    """What came of a container is not known: nothing could bring it back from the device."""
    pinned = flow.origin if flow.value != EMPTY else None
    if pinned is None and node.__class__ is ast.Name:
        return
    held = [(c, unit.containers[id(c)]) for c in children(node) if id(c) in unit.containers]
    if pinned is None and not held:
        return
    reason = Reason(
        "GP901",
        f"unknown type: what `{unit.module.segment(node)[:60]}` takes from its container is not "
        "known",
        node,
        "unknown-type",
    )
    if pinned is not None:
        unit.graph.pin(pinned, reason)
    for child, container in held:
        unit.escape(child, container, reason)  # type: ignore[arg-type]


def not_followed(unit: Unit, node: ast.expr) -> Flow:
    """An expression of a kind that is not followed: the arrays in it stay on the host."""
    text = " ".join(unit.module.segment(node).split())[:60]
    reason = unsupported(node, f"what becomes of the arrays in `{text}` is not followed")
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            unit.escape(child, evaluate(unit, child), reason)
    return Flow(UNKNOWN)


def kept(unit: Unit, expression: ast.expr, flow: Flow) -> Flow:
    """A single element about to be bound or stored.

    NumPy gives a scalar, a copy; CuPy a 0-d view that follows later writes to the array.
    """
    if not flow.view or flow.origin is None:
        return flow
    if isinstance(flow.value, Number) and isinstance(expression, ast.Subscript):
        copy = unit.node_for("element", expression, "element")
        unit.work.rewrites["copy", id(expression)] = Rewrite("copy", expression, flow.origin)
        unit.use(expression, flow, copy, stored=True)
        return Flow(flow.value, copy, fresh=True, element=flow.element)
    if isinstance(flow.value, Number) or _may_be_element(expression, flow):
        share_element(unit, expression, flow.origin)
    return flow


def share_element(unit: Unit, node: ast.AST, origin: Node) -> None:
    """An element is kept where no copy can be put: its array must not be written, or stay."""
    unit.work.rewrites["shared", id(node)] = Rewrite("shared", node, origin)


def _may_be_element(expression: ast.expr, flow: Flow) -> bool:
    if not isinstance(flow.value, Either):
        return False
    return not (isinstance(expression, ast.Subscript) and _has_slice(expression))


def _has_slice(node: ast.Subscript) -> bool:
    entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return any(isinstance(e, ast.Slice) for e in entries)
