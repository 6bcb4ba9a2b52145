"""In which order the files of a run are handled: what a file imports comes before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gpuport.source.layout import Files


@dataclass(frozen=True, slots=True)
class Schedule:
    """The files of a run, by their positions.

    Attributes
    ----------
    order : tuple of int
        Each file after those that it imports; those that import each other as they come.
    after : tuple of frozenset of int
        For each file: the files whose ports it may be told of, which have to be there first.
    """

    order: tuple[int, ...]
    after: tuple[frozenset[int], ...]


def schedule(paths: Sequence[Path], files: Files) -> Schedule:
    """Plan a run.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        The files of the run, absolute.
    files : Files
        Tells what imports what.

    Returns
    -------
    Schedule
        Files that import each other in a circle wait for each other's imports, not for each other.
    """
    if len(paths) < 2:
        return Schedule(tuple(range(len(paths))), (frozenset(),) * len(paths))
    after = _reached_one_way(_imports(paths, files), len(paths))
    # What has to be there first reaches strictly fewer files.
    order = sorted(range(len(paths)), key=lambda position: (len(after[position]), position))
    return Schedule(tuple(order), after)


def _imports(paths: Sequence[Path], files: Files) -> list[list[int]]:
    """What each file imports, by positions; files that are not of the run come behind the others.

    Numbers instead of paths: a run has far more pairs of files than files.
    """
    numbers = {path: number for number, path in enumerate(paths)}
    every, found = list(paths), list[list[int]]()
    for path in every:  # grows meanwhile
        below = []
        for other in files.imports(path):
            if other not in numbers:
                numbers[other] = len(every)
                every.append(other)
            below.append(numbers[other])
        found.append(below)
    return found


def _reached_one_way(below: Sequence[Sequence[int]], own: int) -> tuple[frozenset[int], ...]:
    """For each of the first `own` nodes of a graph: those of them that it reaches by any way.

    Nodes that lead back to it are left out. All nodes of a circle reach the same, so that each
    circle is gone through once.
    """
    after: list[frozenset[int]] = [frozenset()] * len(below)
    reached: dict[int, frozenset[int]] = {}
    for circle in _circles(below):
        found: set[int] = set()
        for node in circle:
            for other in below[node]:
                found |= reached.get(other, frozenset())  # the circle itself is not there yet
        ahead = frozenset(found)
        around = ahead.union(node for node in circle if node < own)
        for node in circle:
            after[node], reached[node] = ahead, around
    return tuple(after[:own])


def _circles(below: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The strongly connected components of a graph, each after those it leads to (Tarjan)."""
    index, lowest = dict[int, int](), dict[int, int]()
    open_nodes, is_open = list[int](), set[int]()
    for first in range(len(below)):
        if first in index:
            continue
        pending = [(first, iter(below[first]))]
        while pending:
            node, others = pending[-1]
            if node not in index:
                index[node] = lowest[node] = len(index)
                open_nodes.append(node)
                is_open.add(node)
            for other in others:
                if other not in index:
                    pending.append((other, iter(below[other])))
                    break
                if other in is_open:
                    lowest[node] = min(lowest[node], index[other])
            else:
                pending.pop()
                if pending:
                    parent = pending[-1][0]
                    lowest[parent] = min(lowest[parent], lowest[node])
                if lowest[node] == index[node]:
                    start = open_nodes.index(node)
                    circle = open_nodes[start:]
                    del open_nodes[start:]
                    is_open.difference_update(circle)
                    yield circle


def connected(paths: Sequence[Path], files: Files) -> list[tuple[int, ...]]:
    """The files that import each other, over any way and in any direction, by their positions.

    Files that import no other, and are imported by none, are left out.
    """
    neighbours: list[set[int]] = [set() for _ in paths]
    positions = {path: position for position, path in enumerate(paths)}
    for position, path in enumerate(paths):
        for other in map(positions.get, files.imports(path)):
            if other is not None and other != position:
                neighbours[position].add(other)
                neighbours[other].add(position)
    found, seen = [], set[int]()
    for first in range(len(paths)):
        pending, group = [first], set[int]()
        while pending:
            position = pending.pop()
            if position not in seen:
                seen.add(position)
                group.add(position)
                pending.extend(neighbours[position])
        if len(group) > 1:
            found.append(tuple(sorted(group)))
    return found


__all__ = ["Schedule", "connected", "schedule"]
