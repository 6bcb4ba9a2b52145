"""What is known of containers in containers, level by level."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from gpuport.analysis.flows import Flow
from gpuport.analysis.graph import Graph, Node
from gpuport.analysis.values import (
    EMPTY,
    Sequence,
    Tuple,
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


__all__ = ["DEEPEST", "contents_of", "fill", "levels", "tuples"]
