"""Builtins that make containers: ``dict``, ``list``, ``tuple``, ``sorted``."""

from __future__ import annotations

import ast

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.hostcalls import host_call, unknown_call
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.expressions.iterating import is_nothing_yet, iterate
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import unsupported
from gpuport.analysis.values.lattice import (
    EMPTY,
    UNKNOWN,
    Mapping,
    Scalar,
    Sequence,
    is_container,
    on_device_possible,
    record,
)
from gpuport.analysis.values.nesting import fill, held_by, put


def dict_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``dict(u=u, v=v)``, ``dict(others, u=u)``."""
    first, named = args[:1], args[1:]
    if not args or args[0].keyword is not None:
        first, named = [], args
    if not named or any(a.keyword is None for a in named):
        return listed(unit, node, name, args)
    container = unit.node_for("container", node, name)
    for others in first:
        if not isinstance(others.flow.value, Mapping):
            return _not_followed(unit, node, args)
        unit.follow(others.expression)
        if others.flow.origin is not None:
            unit.graph.unite(container, others.flow.origin)
        else:
            fill(unit.graph, container, held_by(others.flow.value))
    for argument in named:
        flow = kept(unit, argument.expression, argument.flow)
        put(unit, container, argument.expression, flow, key=argument.keyword)
    return unit.refresh(Flow(record({}), container, fresh=True))


def _not_followed(unit: Unit, node: ast.Call, args: list[Argument]) -> Flow:
    """A dict of which not all is known: its arrays stay on the host."""
    text = " ".join(unit.module.segment(node).split())[:60]
    reason = unsupported(node, f"what becomes of the arrays in `{text}` is not followed")
    for argument in args:
        unit.escape(argument.expression, argument.flow, reason)
    return Flow(UNKNOWN)


def sorted_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``sorted(found)`` of a dict: its keys in order."""
    first = args[0].flow if args else Flow(UNKNOWN)
    held = first.origin is not None and bool(first.origin.root().parameters)
    given = held and unit.objects is None  # of members it is known what they are given
    others = any(on_device_possible(a.flow.value) for a in args[1:])
    if isinstance(first.value, Mapping) and not given and not others:
        unit.follow(args[0].expression)
        return Flow(Sequence(Scalar()))
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(UNKNOWN)
    return host_call(unit, node, f"builtins.{name}", args)


def listed(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    if not args:
        container = unit.node_for("container", node, name)
        if name == "dict":
            return Flow(record({}), container, fresh=True)
        return Flow(Sequence(EMPTY, list=name == "list"), container, fresh=True)
    flow = args[0].flow
    if name == "dict":
        if isinstance(flow.value, Mapping):
            unit.follow(args[0].expression)
            return flow
        if len(args) >= 1 and on_device_possible(flow.value):
            return unknown_call(unit, node, args)
        return Flow(Mapping(UNKNOWN))
    if is_nothing_yet(flow.value):
        return Flow(Sequence(EMPTY, list=name == "list"), flow.origin)
    item, origin = iterate(unit, node, args[0].expression, flow)
    if origin is not None and is_container(flow.value):
        origin = flow.origin
    return Flow(Sequence(item, list=name == "list"), origin)


__all__ = ["dict_of", "listed", "sorted_of"]
