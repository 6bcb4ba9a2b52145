"""What containers hold, and the containers in them, level by level."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.flows import Flow
from gpuport.analysis.graph import Graph, Node
from gpuport.analysis.values import (
    EMPTY,
    UNKNOWN,
    Array,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    is_container,
    join,
    on_device_possible,
)

if TYPE_CHECKING:
    from gpuport.analysis.unit import Unit

DEEPEST = 4
"""Containers in containers of which more is not looked at."""


def levels(value: Value) -> tuple[Value, ...]:
    """What a container holds, what the containers in it hold, and so on."""
    found: list[Value] = []
    while is_container(value) and len(found) < DEEPEST:
        told = isinstance(value, Tuple)  # which says of each item what that is
        value = elements(value) or EMPTY
        found.append(EMPTY if told else value)
    return tuple(found)


def fill(graph: Graph, container: Node, held: Iterable[Value]) -> None:
    """Let a node be that of a container which holds this, level by level."""
    for depth, value in enumerate(held):
        container = graph.inner(container) if depth else container
        cell = container.cell()
        if value != EMPTY:
            cell.contents = value if cell.contents is None else join(cell.contents, value)


def contents_of(container: Node) -> tuple[Value, ...]:
    """What was put into a container, and into those in it."""
    found: list[Value] = []
    node: Node | None = container.cell()
    while node is not None and len(found) < DEEPEST:
        cell = node.cell()
        found.append(EMPTY if cell.contents is None else cell.contents)
        node = cell.inner
    while found and found[-1] == EMPTY:
        found.pop()
    return tuple(found)


def tuples(
    unit: Unit, node: ast.Call, items: tuple[Value, ...], origins: Iterable[Node | None]
) -> Flow:
    """What is gone through in tuples of these items, which share one place: ``zip``, ``items``."""
    value = Sequence(Tuple(items), list=False)
    if not any(map(on_device_possible, items)):
        return Flow(value)
    made = unit.node_for("tuples", node, "tuples")
    held = unit.graph.inner(made)
    for item, origin in zip(items, origins, strict=True):
        if origin is not None and is_container(item):
            unit.graph.unite(unit.graph.inner(held), origin)
        elif origin is not None:
            unit.graph.gather(held, origin)
    return Flow(value, made)


def renewed(unit: Unit, value: Value, container: Node, depth: int = 0) -> Value:
    """What a container holds by now, and the containers in it."""
    cell = container.cell()
    if isinstance(value, Tuple):
        if cell.inner is None or not any(map(is_container, value.items)):
            return value
        items = (_renewed_item(unit, item, cell, depth) for item in value.items)
        return replace(value, items=tuple(items))
    held = cell.contents
    if not isinstance(value, (Sequence, Mapping)) or (held is None and cell.inner is None):
        return value
    of = value.of
    if held is not None:
        of = held if of == EMPTY else join(of, held)
        unit.lost(unit.statement or unit.node, of, value.of, held)
        if isinstance(of, Unknown) and of != EMPTY and on_device_possible(held):
            _pin_mixed(unit, container, unit.statement or unit.node)
    of = _renewed_item(unit, of, cell, depth)
    if held is None and of == value.of:
        return value
    return Mapping(of) if isinstance(value, Mapping) else Sequence(of, value.list)


def _renewed_item(unit: Unit, value: Value, cell: Node, depth: int) -> Value:
    if not is_container(value) or cell.inner is None:
        return value
    return renewed(unit, value, cell.inner, depth + 1) if depth < DEEPEST else UNKNOWN


def put(
    unit: Unit, container: Node, expression: ast.expr, flow: Flow, *, stored: bool = True,
    told: bool = False,
) -> None:  # fmt: skip
    """Put a value into a container.

    What is ``stored`` may be made an array with the others; ``told``: the container's own
    claim says of each item what that is.
    """
    if isinstance(flow.value, Number) and not flow.value.numpy_scalar and flow.origin:
        unit.to_host(expression, flow)  # a number of Python's; on the device it would be none
        flow = Flow(Scalar())
    cell = container.cell()
    held = cell.contents
    if not told or isinstance(flow.value, Unknown):
        cell.contents = flow.value if held is None else join(held, flow.value)
    unit.follow(expression)
    if not told and unit.lost(expression, cell.contents or UNKNOWN, flow.value, held or UNKNOWN):
        cell.contents = held  # to see what else is put there
    if flow.origin is None:
        cell.mixed = cell.mixed or isinstance(flow.value, (Scalar, Number))
    elif is_container(flow.value):
        unit.graph.unite(unit.graph.inner(container), flow.origin)
    elif flow.fresh:
        unit.use(expression, flow, container, stored=stored)
    else:
        unit.graph.gather(container, flow.origin)
    root = container.root()
    root.dimensionless = root.dimensionless or _is_dimensionless(flow.value)
    cell = container.cell()
    if isinstance(cell.contents, Unknown) and cell.contents != EMPTY:
        _pin_mixed(unit, container, expression)


def _is_dimensionless(value: Value) -> bool:
    return isinstance(value, Array) and value.rank == 0


def _pin_mixed(unit: Unit, container: Node, node: ast.AST) -> None:
    """Nothing could bring such a container back from the device as a whole."""
    why = "unknown type: the container holds things of different kinds"
    unit.pin(container, "GP901", why, node, "unknown-type")


__all__ = ["contents_of", "fill", "levels", "put", "renewed", "tuples"]
