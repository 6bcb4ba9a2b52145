"""The cut: on graphs made by hand, and against every possible placement of small ones."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport.analysis.placement.cut import (
    TRANSFER,
    Placement,
    Unplaceable,
    place,
    to_device_cost,
    to_host_cost,
)
from gpuport.analysis.placement.graph import Graph, Node, Place, Reason
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Value,
)

HOST = Reason("GP902", "somebody keeps it", ast.Pass())
FORBIDDEN = 1e9


def expression() -> ast.expr:
    return ast.Name("x", ast.Load())


def connect(graph: Graph, *nodes: Node, value: Value = Array(), weight: float = 1.0) -> None:  # noqa: B008
    """Let a value flow from each node to the next."""
    for producer, consumer in pairwise(nodes):
        graph.use(expression(), producer, consumer, value, weight)


def operation(graph: Graph, work: float) -> Node:
    node = graph.node("operation")
    node.host_cost = work
    return node


def places(graph: Graph, *nodes: Node) -> list[Place]:
    placement = place(graph)
    return [placement.of(node) for node in nodes]


def test_work_that_nothing_holds_goes_to_the_device():
    graph = Graph()
    first, second = operation(graph, 1.0), operation(graph, 2.0)
    connect(graph, first, second)
    assert places(graph, first, second) == [Place.DEVICE, Place.DEVICE]


def test_without_work_everything_stays():
    graph = Graph()
    first, second = graph.node("a"), graph.node("b")
    connect(graph, first, second)
    assert places(graph, first, second) == [Place.HOST, Place.HOST]


@pytest.mark.parametrize(
    ("work", "expected"), [(TRANSFER - 1, Place.HOST), (TRANSFER + 1, Place.DEVICE)]
)
def test_work_moves_when_it_is_worth_the_transfer(work: float, expected: Place):
    graph = Graph()
    source, heavy = graph.node("source"), operation(graph, work)
    graph.pin(source, HOST)
    connect(graph, source, heavy)
    assert places(graph, source, heavy) == [Place.HOST, expected]


def test_a_transfer_is_placed_outside_of_the_loop():
    graph = Graph()
    source, name, loop = graph.node("source"), graph.node("name"), operation(graph, 400.0)
    graph.pin(source, HOST)
    connect(graph, source, name)
    connect(graph, name, loop, weight=16.0)
    assert places(graph, source, name, loop) == [Place.HOST, Place.DEVICE, Place.DEVICE]


def test_nodes_that_share_memory_share_their_place():
    graph = Graph()
    array, view, heavy = graph.node("array"), graph.node("view"), operation(graph, 99.0)
    graph.unite(array, view)
    connect(graph, view, heavy, value=Mapping(Array()))
    graph.pin(array, HOST)
    assert set(places(graph, array, view, heavy)) == {Place.HOST}
    assert array.root() is view.root()


def test_uniting_keeps_what_is_known_of_both():
    graph = Graph()
    a, b = operation(graph, 1.0), operation(graph, 2.0)
    a.mutated, b.mixed, b.device_only = True, True, True
    a.parameters, b.parameters = {"x"}, {"y"}
    graph.pin(b, HOST)
    root = graph.unite(a, b)
    assert (root.host_cost, root.mutated, root.mixed, root.device_only) == (3.0, True, True, True)
    assert root.parameters == {"x", "y"}
    assert root.pinned is HOST
    assert graph.unite(a, b) is root
    assert root.host_cost == 3.0


def test_the_first_reason_to_stay_stands():
    graph = Graph()
    node = graph.node("a")
    graph.pin(node, HOST)
    graph.pin(node, Reason("GP407", "later", ast.Pass()))
    assert node.pinned is HOST


def test_what_must_be_in_both_places_cannot_be_placed():
    graph = Graph()
    node = operation(graph, 1.0)
    graph.pin(node, HOST)
    node.device_only = True
    with pytest.raises(Unplaceable):
        place(graph)


def test_what_cannot_be_moved_cannot_be_placed_apart():
    graph = Graph()
    source, sink = graph.node("source"), operation(graph, 1.0)
    graph.pin(source, HOST)
    sink.device_only = True
    connect(graph, source, sink, value=UNKNOWN)
    with pytest.raises(Unplaceable):
        place(graph)


@pytest.mark.parametrize(
    ("value", "leaves", "enters"),
    [
        (Array(), True, True),
        (Array(optional=True), True, True),
        (Either(), True, False),
        (Either(sources=frozenset("x")), True, True),
        (Either(optional=True), True, False),
        (Either(python=True), False, False),
        (Number(), True, True),
        (Scalar("int"), True, True),
        (Sequence(Scalar("int")), False, True),
        (Sequence(Array()), True, True),
        (Sequence(Array(optional=True)), False, False),
        (Mapping(Array()), True, False),
        (UNKNOWN, False, False),
    ],
)
def test_what_may_be_moved(value: Value, leaves: bool, enters: bool):
    graph = Graph()
    graph.use(expression(), graph.node("a"), graph.node("b"), value, 1.0)
    (use,) = graph.uses.values()
    assert (to_host_cost(use) < FORBIDDEN) == leaves
    assert (to_device_cost(use) < FORBIDDEN) == enters


@pytest.mark.parametrize(("text", "moves"), [("a", True), ("a.b.c", True), ("f(a)", False)])
def test_what_may_be_none_is_moved_where_it_has_a_name(text: str, moves: bool):
    graph = Graph()
    named = ast.parse(text, mode="eval").body
    graph.use(named, graph.node("a"), graph.node("b"), Array(optional=True), 1.0)
    (use,) = graph.uses.values()
    assert (to_host_cost(use) < FORBIDDEN) == moves


def test_what_a_property_gives_has_no_name():
    graph = Graph()
    named = ast.parse("a.b.c", mode="eval").body
    graph.called.add(id(named.value))
    graph.use(named, graph.node("a"), graph.node("b"), Array(optional=True), 1.0)
    (use,) = graph.uses.values()
    assert to_host_cost(use) == FORBIDDEN


def test_frozen_text_moves_nothing():
    graph = Graph()
    graph.use(expression(), graph.node("a"), graph.node("b"), Array(), 1.0, movable=False)
    (use,) = graph.uses.values()
    assert to_host_cost(use) == to_device_cost(use) == FORBIDDEN


VALUES = st.sampled_from(
    [Array(), Array(), Number(), Either(), Either(sources=frozenset("x")), UNKNOWN]
)


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to 8 nodes: work, pins, demands, groups and uses at random."""
    graph = Graph()
    for index in range(draw(st.integers(1, 8))):
        node = graph.node(str(index))
        node.host_cost = float(draw(st.sampled_from([0, 0, 1, 2, 8, 24, 96])))
        node.device_cost = float(draw(st.sampled_from([0, 0, 0, 1, 4])))
        fate = draw(st.sampled_from(["free", "free", "free", "pinned", "device"]))
        if fate == "pinned":
            graph.pin(node, HOST)
        node.device_only = fate == "device"
    nodes = st.sampled_from(graph.nodes)
    for a, b in draw(st.lists(st.tuples(nodes, nodes), max_size=2)):
        graph.unite(a, b)
    for a, b, value in draw(st.lists(st.tuples(nodes, nodes, VALUES), max_size=14)):
        movable = draw(st.sampled_from([True, True, True, False]))
        weight = draw(st.sampled_from([1.0, 4.0]))
        graph.use(expression(), a, b, value, weight, movable=movable)
    return graph


def roots(graph: Graph) -> list[Node]:
    return list({id(n.root()): n.root() for n in graph.nodes}.values())


def cost(graph: Graph, placement: Placement) -> float:
    """What a placement costs by the definition of the problem."""
    total = 0.0
    for root in roots(graph):
        on_device = placement.of(root) is Place.DEVICE
        if (on_device and root.pinned) or (not on_device and root.device_only):
            return FORBIDDEN
        total += root.device_cost if on_device else root.host_cost
    for use in graph.uses.values():
        source, target = placement.of(use.producer), placement.of(use.consumer)
        if source is not target:
            total += to_device_cost(use) if target is Place.DEVICE else to_host_cost(use)
    return min(total, FORBIDDEN)


def every_placement(graph: Graph) -> Iterator[Placement]:
    found: Any = roots(graph)
    for choice in product((False, True), repeat=len(found)):
        yield Placement(frozenset(id(r) for r, on in zip(found, choice, strict=True) if on))


@settings(max_examples=300, deadline=None)
@given(graphs())
def test_no_placement_is_cheaper(graph: Graph):
    best = min(cost(graph, placement) for placement in every_placement(graph))
    try:
        chosen = place(graph)
    except Unplaceable:
        assert best >= FORBIDDEN
        return
    if not any(root.host_cost and not root.pinned for root in roots(graph)):
        assert not chosen.device  # nothing to gain: the unit is not ported at all
        return
    assert cost(graph, chosen) == best


@settings(max_examples=50, deadline=None)
@given(graphs())
def test_the_same_graph_is_placed_the_same_way(graph: Graph):
    try:
        assert place(graph).device == place(graph).device
    except Unplaceable:
        with pytest.raises(Unplaceable):
            place(graph)
