"""Where each operation runs and each array lives: a minimum cut of the data-flow graph.

Cutting between a producer on one side and a consumer on the other costs a transfer, weighted by
loop depth; a node on the host costs the work that the device would have saved. The source side
of the cut is the device.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.graph import Graph, Node, Place, Use
from gpuport.analysis.values import Array, Either, Number, Scalar, Sequence, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

TRANSFER = 5.0
"""Cost of moving an array, in elementwise operations on it: at 12 GB/s over pageable PCIe a
float64 takes 0.7 ns, a launch with its synchronisation adds to it, and so does the line that a
reviewer has to read."""

SYNCHRONISATION = 2.0
"""Cost of reading a single number back: no data to speak of, but the host waits."""

_FORBIDDEN = 1e9


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
    if not any(r.host_cost > 0 and r.pinned is None for r in roots):
        return Placement(frozenset())
    free = not any(r.pinned or r.device_cost for r in roots)
    if free:
        return Placement(frozenset(id(r) for r in roots))
    return _cut(roots, graph.uses.values())


def _cut(roots: list[Node], uses: Iterable[Use]) -> Placement:
    import networkx

    network = networkx.DiGraph()
    network.add_nodes_from(("device", "host"))
    capacity: dict[tuple[object, object], float] = {}

    def end(root: Node) -> object:
        """What cannot move is one with its side of the cut."""
        if root.pinned is not None:
            return "host"
        return "device" if root.device_only else id(root)

    def add(a: object, b: object, cost: float) -> None:
        if cost > 0 and a != b:
            capacity[a, b] = min(_FORBIDDEN, capacity.get((a, b), 0.0) + cost)

    for root in roots:
        add("device", end(root), root.host_cost)
        add(end(root), "host", root.device_cost)
    for use in uses:
        producer, consumer = end(use.producer.root()), end(use.consumer.root())
        if producer != consumer:
            add(producer, consumer, to_host_cost(use))
            add(consumer, producer, to_device_cost(use))
    for (a, b), cost in capacity.items():
        network.add_edge(a, b, capacity=cost)
    total, (device, _) = networkx.minimum_cut(
        network, "device", "host", flow_func=networkx.algorithms.flow.boykov_kolmogorov
    )
    if total >= _FORBIDDEN:
        raise Unplaceable
    fixed = {id(r) for r in roots if r.device_only and r.pinned is None}
    return Placement(frozenset(n for n in device if isinstance(n, int)) | fixed)


def to_host_cost(use: Use) -> float:
    """Cost of bringing the value of a use to the host."""
    if not use.movable or not (_can_leave(use.value) or _as_good(use)):
        return _FORBIDDEN
    return (SYNCHRONISATION if isinstance(use.value, Number) else TRANSFER) * use.weight


def to_device_cost(use: Use) -> float:
    """Cost of bringing the value of a use to the device; NumPy scalars go as they are."""
    if isinstance(use.value, (Number, Scalar)):
        return 0.0
    if use.implicit:
        return TRANSFER * use.weight
    if not use.movable or not _can_enter(use.value):
        return _FORBIDDEN
    return TRANSFER * use.weight


def _as_good(use: Use) -> bool:
    """A number of NumPy's or Python's, for a sink that does not mind which."""
    return isinstance(use.value, Number) and use.consumer.zero_d


def _can_leave(value: Value) -> bool:
    if isinstance(value, Number):
        # Of a number that may be Python's nothing says as what to bring it back.
        return value.numpy_scalar or value.dtype is not None
    if isinstance(value, Either):
        return not value.optional and not value.python
    if isinstance(value, Array):
        return not value.optional
    return isinstance(value, Scalar)


def _can_enter(value: Value) -> bool:
    if isinstance(value, Array):
        return not value.optional
    if isinstance(value, Either):
        return bool(value.sources) and not value.optional and not value.python
    return isinstance(value, Sequence) and isinstance(value.of, (Scalar, Number, Sequence))
