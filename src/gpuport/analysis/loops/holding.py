"""A loop as one operation of the graph: its arrays are where it runs, its numbers on the host."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from gpuport.analysis.functions.innerfunctions import functions_within, read_within
from gpuport.analysis.interpretation.flows import Flow, Operation
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.statements.exits import returning_inside
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Number,
    Scalar,
    on_device_possible,
)
from gpuport.loops.context.scalars import exposed
from gpuport.rules.libraries import library_of
from gpuport.source.syntax import bound_in

_WORK = 1000.0
"""What a loop over elements costs in Python, in array operations over as many elements."""


def held_together(
    unit: Unit,
    node: ast.For | ast.While,
    arrays: Mapping[str, Flow | None],
    borrowed: frozenset[str],
    written: frozenset[str],
) -> Node:
    """Make a loop one operation that has to be where its arrays are, and its numbers on the host.

    Parameters
    ----------
    unit : Unit
    node : ast.For or ast.While
    arrays : mapping of str to Flow or None
    borrowed : frozenset of str
        Arrays of the host that are not moved.
    written : frozenset of str
        Arrays that the loop may write.
    """
    graph_node = unit.operation(node, "loop", _WORK)
    named = first_uses(unit, node)
    over = node.iter if isinstance(node, ast.For) else node.test
    for name, flow in arrays.items():
        if flow is not None and name not in borrowed:
            # An array that only a function reads which the loop calls stands nowhere in the loop.
            _hold(unit, named.get(name, over), flow, graph_node)
            if name in written:
                unit.mutate(flow)
            unit.parameters.required |= getattr(flow.value, "sources", frozenset())
    taken_in = exposed([node])
    for name, expression in named.items():
        if name not in arrays and name in taken_in:
            _bring_number(unit, node, name, expression)
    for name, expression in sorted(read_within(functions_within(unit, node, named)).items()):
        if name not in arrays and name not in named:
            _bring_number(unit, node, name, expression)
    for call in _library_calls(unit, node):
        unit.work.operations[id(call)] = Operation(call, graph_node, unit.scope.resolve(call.func))
    for name in sorted(bound_in(node) - arrays.keys()):
        unit.env[name] = Flow(Scalar())
    returning_inside(unit, node)
    return graph_node


def on_host_already(unit: Unit, arrays: Mapping[str, Flow | None]) -> frozenset[str]:
    """Those of these arrays that are the host's: a kernel reads copies of them."""
    host = unit.host.root()
    return frozenset(
        name
        for name, flow in arrays.items()
        if flow is None or flow.origin is None or flow.origin.root() is host
    )


def _hold(unit: Unit, expression: ast.expr, flow: Flow, consumer: Node) -> None:
    """A value that has to be where the loop runs: it is moved where it is made, if at all."""
    if flow.origin is not None and on_device_possible(flow.value):
        unit.graph.use(expression, flow.origin, consumer, flow.value, unit.weight, movable=False)


def _bring_number(unit: Unit, node: ast.For | ast.While, name: str, expression: ast.expr) -> None:
    """A number that the loop reads has to be on the host, whichever place the loop runs at."""
    flow = unit.env.get(name)
    if flow is None or flow.origin is None or not on_device_possible(flow.value):
        return
    value = flow.value
    if isinstance(value, Array):
        return  # the loop asks for its sizes alone, which it has wherever it is
    element = isinstance(value, Either) and not value.python and flow.view
    if not element and not (isinstance(value, Number) and value.numpy_scalar):
        _hold(unit, expression, flow, unit.host)
        return
    unit.graph.use(
        expression, flow.origin, unit.host, flow.value, unit.weight, before=node, view=flow.view
    )
    unit.env[name] = Flow(flow.value, unit.host)


def first_uses(unit: Unit, node: ast.For | ast.While) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for inner in unit.module.nodes.inside(node, ast.Name):
        found.setdefault(inner.id, inner)
    return found


def _library_calls(unit: Unit, node: ast.For | ast.While) -> Iterator[ast.Call]:
    for inner in unit.module.nodes.inside(node, ast.Call):
        path = unit.scope.resolve(inner.func)
        if path is not None and library_of(path) is not None:
            yield inner
