"""The minimum cut of a network: a maximum flow, by shortest ways (Dinic)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

_Left = dict[object, dict[object, int]]
"""What can still flow from one node to the next."""

_PARTS = 10**6
"""Costs are counted in such parts, as integers: sums of floats would tell equal cuts apart."""


def minimum_cut(
    costs: Mapping[tuple[object, object], float], source: object, sink: object
) -> tuple[float, set[object]]:
    """The cheapest way to part two nodes.

    Parameters
    ----------
    costs : mapping
        What it costs to have the first one of a pair on the side of the source, without the other.
    source, sink : object

    Returns
    -------
    cost : float
    side : set
        The nodes on the side of the source, of equal cuts those of the one with the most.
    """
    left: _Left = {source: {}, sink: {}}
    for (a, b), cost in costs.items():
        left.setdefault(a, {})[b] = round(cost * _PARTS)
        left.setdefault(b, {}).setdefault(a, 0)
    flow = 0
    while source in (distances := _distances(left, sink)):
        flow += _push(left, distances, source, sink)
    return flow / _PARTS, left.keys() - distances.keys()


def _distances(left: _Left, sink: object) -> dict[object, int]:
    """How far the sink is from each node that still reaches it."""
    found = {sink: 0}
    pending = [sink]
    for node in pending:
        for before in left[node]:
            if before not in found and left[before][node]:
                found[before] = found[node] + 1
                pending.append(before)
    return found


def _push(left: _Left, distances: dict[object, int], source: object, sink: object) -> int:
    """Let flow what goes along the shortest ways, until each of them is full."""
    onward = {
        node: [b for b, free in left[node].items() if free and distances.get(b) == distance - 1]
        for node, distance in distances.items()
    }
    pushed, way = 0, [source]
    while way:
        steps = onward[way[-1]]
        if way[-1] == sink:
            flow = min(left[a][b] for a, b in pairwise(way))
            for a, b in pairwise(way):
                left[a][b] -= flow
                left[b][a] += flow
            pushed += flow
            full = next(i for i, (a, b) in enumerate(pairwise(way)) if not left[a][b])
            del way[full + 1 :]
            onward[way[-1]].pop()
        elif steps:
            way.append(steps[-1])
        else:
            way.pop()
            if way:
                onward[way[-1]].pop()
    return pushed


__all__ = ["minimum_cut"]
