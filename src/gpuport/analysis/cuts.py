"""The cut of least cost between two nodes of a weighted graph, which is small."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

Vertex = TypeVar("Vertex", bound=Hashable)

_FINEST = 1000
"""Costs are counted in thousandths: between whole numbers what is equal stays equal."""


def minimum_cut(
    costs: Mapping[tuple[Vertex, Vertex], float], source: Vertex, sink: Vertex
) -> tuple[float, set[Vertex]]:
    """Part the nodes of a graph where that costs least.

    Parameters
    ----------
    costs : mapping
        By edge (from, to), what it costs where the one is on the side of `source` and the other
        on that of `sink`.
    source, sink : hashable

    Returns
    -------
    total : float
        What the cut costs.
    beside_source : set
        The side of `source`; of all cuts that cost as little, the largest.

    Notes
    -----
    E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with power
    estimation", Soviet Math. Doklady 11 (1970) 1277-1280. The distances are those to the sink,
    so that the last of them tell the sides.
    """
    numbers: dict[Vertex, int] = {source: 0, sink: 1}
    for edge in costs:
        for end in edge:
            numbers.setdefault(end, len(numbers))
    network = _Network(len(numbers))
    for (a, b), cost in costs.items():
        network.connect(numbers[a], numbers[b], round(cost * _FINEST))
    total = 0
    distances = network.distances(1)
    while distances[0] >= 0:
        total += network.saturate(0, 1, distances)
        distances = network.distances(1)
    return total / _FINEST, {vertex for vertex, at in numbers.items() if distances[at] < 0}


class _Network:
    """Arcs with what they can still carry; each stands beside the one that leads back."""

    def __init__(self, size: int) -> None:
        self.heads: list[int] = []
        self.room: list[int] = []
        self.leaving: list[list[int]] = [[] for _ in range(size)]

    def connect(self, a: int, b: int, capacity: int) -> None:
        self.leaving[a].append(len(self.heads))
        self.leaving[b].append(len(self.heads) + 1)
        self.heads += (b, a)
        self.room += (capacity, 0)

    def distances(self, sink: int) -> list[int]:
        """Arcs with room from each node to the sink; -1 where none lead there."""
        heads, room, leaving = self.heads, self.room, self.leaving
        found = [-1] * len(leaving)
        found[sink] = 0
        waiting = [sink]
        for at in waiting:
            for arc in leaving[at]:
                before = heads[arc]
                if found[before] < 0 and room[arc ^ 1]:
                    found[before] = found[at] + 1
                    waiting.append(before)
        return found

    def saturate(self, source: int, sink: int, distances: list[int]) -> int:
        """Fill all shortest ways from the source to the sink; gives what they carry."""
        heads, room, leaving = self.heads, self.room, self.leaving
        tried = [0] * len(leaving)
        carried, way, at = 0, list[int](), source
        while True:
            if at == sink:
                least = min(room[arc] for arc in way)
                carried += least
                for arc in way:
                    room[arc] -= least
                    room[arc ^ 1] += least
                way, at = [], source
            arcs, nearer = leaving[at], distances[at] - 1
            index = tried[at]
            while index < len(arcs):
                arc = arcs[index]
                if room[arc] and distances[heads[arc]] == nearer:
                    break
                index += 1
            tried[at] = index
            if index < len(arcs):
                way.append(arcs[index])
                at = heads[arcs[index]]
            elif way:
                at = heads[way.pop() ^ 1]
                tried[at] += 1
            else:
                return carried
