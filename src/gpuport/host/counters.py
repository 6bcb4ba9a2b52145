"""What the device would have been asked to do: launches, transfers, synchronisations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

KERNELS: defaultdict[str, int] = defaultdict(int)
"""Launches so far by kernel name. Hot paths add to it directly: one dictionary update a launch."""

_TRAFFIC = {"h2d": 0, "h2d_bytes": 0, "d2h": 0, "d2h_bytes": 0, "syncs": 0}


@dataclass(frozen=True)
class Snapshot:
    """Counts between two moments.

    Attributes
    ----------
    launches : int
        Kernels, fills and strided copies started.
    h2d, d2h : int
        Arrays moved to and from the device; ``*_bytes`` in bytes.
    syncs : int
        Times the host waited for the device.
    kernels : dict
        Launches by kernel name.
    """

    launches: int = 0
    h2d: int = 0
    h2d_bytes: int = 0
    d2h: int = 0
    d2h_bytes: int = 0
    syncs: int = 0
    kernels: dict[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document of the command line."""
        return {
            "launches": self.launches,
            **{name: getattr(self, name) for name in _TRAFFIC},
            "kernels": dict(sorted(self.kernels.items())),
        }

    def minus(self, earlier: Snapshot) -> Snapshot:
        """What happened after `earlier`."""
        kernels = {
            name: count - earlier.kernels.get(name, 0)
            for name, count in self.kernels.items()
            if count != earlier.kernels.get(name, 0)
        }
        traffic = {name: getattr(self, name) - getattr(earlier, name) for name in _TRAFFIC}
        return Snapshot(self.launches - earlier.launches, kernels=kernels, **traffic)


def launch(kernel: str, count: int = 1) -> None:
    """Count `count` launches of `kernel`."""
    if count:
        KERNELS[kernel] += count


def h2d(nbytes: int) -> None:
    """Count one array of `nbytes` bytes moved to the device."""
    _TRAFFIC["h2d"] += 1
    _TRAFFIC["h2d_bytes"] += nbytes


def d2h(nbytes: int) -> None:
    """Count one array of `nbytes` bytes moved to the host, for which the host waits."""
    _TRAFFIC["d2h"] += 1
    _TRAFFIC["d2h_bytes"] += nbytes
    _TRAFFIC["syncs"] += 1


def sync(count: int = 1) -> None:
    """Count the host waiting for the device without an array being moved."""
    _TRAFFIC["syncs"] += count


def snapshot() -> Snapshot:
    """Counts since the process started."""
    return Snapshot(sum(KERNELS.values()), kernels=dict(KERNELS), **_TRAFFIC)


class Counting:
    """Handle given by :func:`counting`; `snapshot` is read at any time, and kept at the end."""

    def __init__(self) -> None:
        self._start = snapshot()
        self._end: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        """Counts since the block was entered, until now or until its end."""
        return (self._end or snapshot()).minus(self._start)

    def stop(self) -> None:
        """Freeze the counts."""
        self._end = snapshot()


@contextmanager
def counting() -> Iterator[Counting]:
    """Count what the block asks of the device.

    Yields
    ------
    Counting
        Its ``snapshot`` holds the counts, also after the block.
    """
    handle = Counting()
    try:
        yield handle
    finally:
        handle.stop()
