"""In which order the files of a run are handled: what a file imports comes before it."""

from __future__ import annotations

from collections.abc import Sequence
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
    positions = {path: position for position, path in enumerate(paths)}
    after = tuple(
        frozenset(
            positions[other] for other in files.reached(path)
            if other in positions and path not in files.reached(other)
        )
        for path in paths
    )  # fmt: skip
    # What has to be there first reaches strictly fewer files.
    order = sorted(range(len(paths)), key=lambda position: (len(after[position]), position))
    return Schedule(tuple(order), after)


def connected(paths: Sequence[Path], files: Files) -> list[tuple[int, ...]]:
    """The files that import each other, over any way and in any direction, by their positions.

    Files that import no other, and are imported by none, are left out.
    """
    positions = {path: position for position, path in enumerate(paths)}
    neighbours: list[set[int]] = [set() for _ in paths]
    for path, position in positions.items():
        for other in files.imports(path):
            if other in positions and other != path:
                neighbours[position].add(positions[other])
                neighbours[positions[other]].add(position)
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
