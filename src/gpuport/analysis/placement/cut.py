"""Where each operation runs and each array lives: a minimum cut of the data-flow graph.

Cutting between a producer on one side and a consumer on the other costs a transfer, weighted by
loop depth; a node on the host costs the work that the device would have saved. The source side
of the cut is the device.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING

from gpuport.analysis.placement.graph import Graph, Node, Place, Use
from gpuport.analysis.values.contents import can_cross, has_movable_leaves
from gpuport.analysis.values.lattice import Array, Either, Number, Scalar, Sequence, Value
from gpuport.source.evenlists import is_even

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gpuport.analysis.placement.copies import Shared

TRANSFER = 5.0
"""Cost of moving an array, in elementwise operations on it: at 12 GB/s over pageable PCIe a
float64 takes 0.7 ns, a launch with its synchronisation adds to it, and so does the line that a
reviewer has to read."""

SYNCHRONISATION = 2.0
"""Cost of reading a single number back: no data to speak of, but the host waits."""

LAUNCH = 0.5
"""Cost of a launch in a loop for a few elements, with which the host would be done meanwhile."""

WRITTEN = 1.0
"""Cost of taking a few numbers along that stand in the text: their bytes go with the launch."""

LINE = 3.0
"""Cost of a name and a line more, which a reviewer has to read as well."""

_FORBIDDEN = 1e9

_FEW = 6
"""Nodes of which trying all places takes less time than setting up a flow network."""


Costs = dict[tuple[object, object], float]
"""What it costs to have the one on the device and the other on the host."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The places of all nodes of one unit."""

    device: frozenset[int]

    def of(self, node: Node) -> Place:
        """Where a node is."""
        return Place.DEVICE if id(node.root()) in self.device else Place.HOST


class Unplaceable(Exception):
    """Something must be on the device and on the host at once, and cannot be moved."""


def place(graph: Graph) -> Placement:
    """Cut the graph at least cost.

    Raises
    ------
    Unplaceable
        If the constraints contradict each other.
    """
    roots = list({id(n.root()): n.root() for n in graph.nodes}.values())
    if any(r.pinned and r.device_only for r in roots):
        raise Unplaceable
    worth = any(r.host_cost > 0 and r.pinned is None for r in roots)
    if not worth and not any(r.device_call for r in roots):
        return Placement(frozenset())
    free = not any(r.pinned or r.device_cost for r in roots)
    if free:
        return Placement(frozenset(id(r) for r in roots))
    return _cut(roots, graph.uses.values())


def _cut(roots: list[Node], uses: Iterable[Use]) -> Placement:
    costs, free = _Flows.of(roots, uses)
    if costs.get(("device", "host"), 0.0) >= _FORBIDDEN:
        raise Unplaceable
    free += [end for end in map(_end, roots) if isinstance(end, int)]
    device = {id(root) for root in roots if _end(root) == "device"}
    for part, inside in _components(free, costs):
        cheap = len(part) <= _FEW
        device |= _cheapest(part, inside) if cheap else _minimum_cut(inside)
    return Placement(frozenset(device))


def _end(root: Node) -> object:
    """A node of the network: what cannot move is one with its side of the cut."""
    if root.pinned is not None:
        return "host"
    return "device" if root.device_only else id(root)


@dataclass(slots=True)
class _Flows:
    """What flows in a graph, as a network of costs.

    Attributes
    ----------
    costs : dict
    copies : dict
        Copies that several uses share: nodes of their own, in the order in which they were met.
    """

    costs: Costs = field(default_factory=dict)
    copies: dict[tuple[str, object], None] = field(default_factory=dict)

    @classmethod
    def of(cls, roots: list[Node], uses: Iterable[Use]) -> tuple[Costs, list[object]]:
        """The costs, and what of the copies may be on either side."""
        flows = cls()
        for root in roots:
            flows.add("device", _end(root), root.host_cost)
            flows.add(_end(root), "host", root.device_cost)
        for use in uses:
            producer, consumer = _end(use.producer.root()), _end(use.consumer.root())
            if producer != consumer:
                flows.flow(use, producer, consumer)
        return flows.costs, list(flows.copies)

    def add(self, a: object, b: object, cost: float) -> None:
        """What it costs to have `a` on the device and `b` on the host."""
        if cost > 0 and a != b:
            self.costs[a, b] = min(_FORBIDDEN, self.costs.get((a, b), 0.0) + cost)

    def flow(self, use: Use, producer: object, consumer: object) -> None:
        """A value that is moved where both ends of a use are on different sides."""
        shared = use.shared
        if shared is None or not shared.on_host:
            self.add(producer, consumer, to_host_cost(use))
        if shared is None or shared.on_host:
            self.add(consumer, producer, to_device_cost(use))
        if shared is not None:
            self._through_copy(use, shared, producer, consumer)

    def _through_copy(self, use: Use, shared: Shared, producer: object, consumer: object) -> None:
        """A copy is made when one on its side reads it, and only once."""
        copy = (shared.name, producer)
        line = (TRANSFER + LINE) * shared.weight
        if not shared.on_host and use.producer.root().unsure:
            line = _FORBIDDEN
        if copy not in self.copies:
            self.copies[copy] = None
            first, second = (producer, copy) if shared.on_host else (copy, producer)
            self.add(first, second, line)
        if shared.on_host:
            self.add(copy, consumer, to_host_cost(use) and _FORBIDDEN)
        else:
            self.add(consumer, copy, to_device_cost(use) and _FORBIDDEN)


def _components(free: list[object], costs: Costs) -> Iterator[tuple[list[object], Costs]]:
    """Nodes that can move, in parts between which nothing flows, with the costs of each part."""
    leader = {node: node for node in free}

    def first(node: object) -> object:
        while leader[node] != node:
            leader[node] = node = leader[leader[node]]
        return node

    for a, b in costs:
        if a in leader and b in leader:
            leader[first(a)] = first(b)
    parts: dict[object, list[object]] = {}
    for node in free:
        parts.setdefault(first(node), []).append(node)
    inside: dict[object, Costs] = {one: {} for one in parts}
    for (a, b), cost in costs.items():
        if a in leader or b in leader:
            inside[first(a if a in leader else b)][a, b] = cost
    for one, part in parts.items():
        if any(a == "device" for a, _ in inside[one]):  # else nothing speaks for the device
            yield part, inside[one]


def _cheapest(part: list[object], costs: Costs) -> set[int]:
    """The device's share of a few nodes: the largest one of the least cost."""
    best: tuple[float, int, set[object]] | None = None
    for size in range(len(part) + 1):
        for chosen in combinations(part, size):
            device: set[object] = {"device", *chosen}
            cost = sum(c for (a, b), c in costs.items() if a in device and b not in device)
            if best is None or cost <= best[0]:
                best = cost, size, device
    assert best is not None
    return _moved(best[0], best[2])


def _minimum_cut(costs: Costs) -> set[int]:
    import networkx

    network = networkx.DiGraph()
    network.add_nodes_from(("device", "host"))
    for (a, b), cost in costs.items():
        network.add_edge(a, b, capacity=cost)
    total, (device, _) = networkx.minimum_cut(
        network, "device", "host", flow_func=networkx.algorithms.flow.boykov_kolmogorov
    )
    return _moved(total, device)


def _moved(cost: float, device: set[object]) -> set[int]:
    if cost >= _FORBIDDEN:
        raise Unplaceable
    return {node for node in device if isinstance(node, int)}


def to_host_cost(use: Use) -> float:
    """Cost of bringing the value of a use to the host."""
    if not use.movable or not (_can_leave(use.value) or _as_good(use)):
        return _FORBIDDEN
    return (SYNCHRONISATION if isinstance(use.value, Number) else TRANSFER) * _often(use)


def _often(use: Use) -> float:
    """How often a use happens; one that does as well behind the transfer counts a little more."""
    return use.weight * (1.01 if use.consumer.root().light else 1.0)


def to_device_cost(use: Use) -> float:
    """Cost of bringing the value of a use to the device; NumPy scalars go as they are."""
    if isinstance(use.value, (Number, Scalar)):
        return _FORBIDDEN if use.stored else 0.0
    if use.implicit:  # nothing is written for what the boundary moves
        returned = use.consumer.device_only and not use.consumer.device_call
        return (TRANSFER - 0.1 * returned) * use.weight
    if not use.movable or not can_enter(use.value) or use.producer.root().unsure:
        return _FORBIDDEN
    display, written = use.expression, False
    if isinstance(display, (ast.List, ast.Tuple)):
        plain = bool(display.elts) and all(isinstance(item, ast.Constant) for item in display.elts)
        written = plain or is_even(display, numbers=isinstance(use.value, Array))
    return (WRITTEN if written else TRANSFER) * _often(use)


def _as_good(use: Use) -> bool:
    """A number of NumPy's or Python's, for a sink that does not mind which."""
    return isinstance(use.value, Number) and use.consumer.zero_d


def _can_leave(value: Value) -> bool:
    if isinstance(value, Number):
        # Of a number that may be Python's nothing says as what to bring it back.
        return value.numpy_scalar or value.dtype is not None
    if isinstance(value, Either):
        return not value.python
    return isinstance(value, Array | Scalar) or has_movable_leaves(value)


def can_enter(value: Value) -> bool:
    if isinstance(value, Array):
        return True
    if isinstance(value, Either):
        return bool(value.sources) and not value.python
    numbers = isinstance(value, Sequence) and isinstance(value.of, (Scalar, Number, Sequence))
    return numbers or can_cross(value)
