"""What the device would have been asked to do: launches, transfers, synchronisations, memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

KERNELS: defaultdict[str, int] = defaultdict(int)
"""Launches so far by kernel name. Hot paths add to it directly: one dictionary update a launch."""

UNIT = 512
"""Bytes of which CuPy's pool gives out multiples; source: ``ALLOCATION_UNIT_SIZE``, memory.pyx."""


class OutOfMemoryError(MemoryError):
    """CuPy's exception for memory beyond the pool's limit."""

    __module__ = "cupy.cuda.memory"

    def __init__(self, size: int, total: int, limit: int = 0) -> None:
        self._size, self._total, self._limit = size, total, limit
        super().__init__(
            f"Out of memory allocating {size:,} bytes (allocated so far: {total:,} bytes, "
            f"limit set to: {limit:,} bytes)."
        )

    def __reduce__(self) -> Any:
        return type(self), (self._size, self._total, self._limit)


class Memory:
    """Device memory that arrays hold.

    Attributes
    ----------
    allocations : int
        Times it was taken.
    live, peak : int
        Bytes now, and at most since the innermost block of :func:`count` began.
    held : int
        Most bytes since the pool gave back its free blocks.
    limit : int
        The pool's limit; 0 for none.
    """

    __slots__ = ("allocations", "held", "limit", "live", "mark", "peak")

    def __init__(self) -> None:
        self.allocations = self.live = self.peak = self.held = self.limit = self.mark = 0

    def settle(self) -> None:
        """Find the mark up to which nothing has to be done when memory is taken."""
        self.mark = min(self.peak, self.held, self.limit or self.peak)

    def rise(self, size: int) -> None:
        """Note that `size` bytes went beyond the mark."""
        live = self.live
        if self.limit and live > self.limit:
            raise OutOfMemoryError(size, live - size, self.limit)
        self.peak, self.held = max(self.peak, live), max(self.held, live)
        self.settle()


MEMORY = Memory()


def allocate(nbytes: int) -> None:
    """Count memory for `nbytes` bytes, rounded up as CuPy's pool does; nothing for 0.

    Raises
    ------
    OutOfMemoryError
        Beyond the limit that the pool was given.
    """
    if nbytes:
        MEMORY.allocations += 1
        MEMORY.live = live = MEMORY.live + (nbytes + UNIT - 1 & -UNIT)
        if live > MEMORY.mark:
            MEMORY.rise(nbytes + UNIT - 1 & -UNIT)


def release(nbytes: int, memory: Memory = MEMORY, unit: int = UNIT) -> None:
    """Count the end of memory that was counted for `nbytes` bytes."""
    memory.live -= nbytes + unit - 1 & -unit


_TRAFFIC = {"h2d": 0, "h2d_bytes": 0, "d2h": 0, "d2h_bytes": 0, "syncs": 0}


@dataclass(frozen=True)
class Snapshot:
    """Counts between two moments.

    Attributes
    ----------
    launches : int
        Kernels, fills and strided copies started.
    h2d, d2h : int
        Arrays moved to and from the device.
    h2d_bytes, d2h_bytes : int
        How large they were together.
    syncs : int
        Times the host waited for the device.
    kernels : dict
        Launches by kernel name.
    allocations : int
        Times memory was taken for an array.
    peak_bytes : int
        Most bytes that arrays held at one moment, those from before included.
    """

    launches: int = 0
    h2d: int = 0
    h2d_bytes: int = 0
    d2h: int = 0
    d2h_bytes: int = 0
    syncs: int = 0
    kernels: dict[str, int] = field(default_factory=dict)
    allocations: int = 0
    peak_bytes: int = 0

    def as_dict(self) -> dict[str, Any]:
        """The JSON document of the command line."""
        return {
            "launches": self.launches,
            **{name: getattr(self, name) for name in _TRAFFIC},
            "allocations": self.allocations,
            "peak_bytes": self.peak_bytes,
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
        return Snapshot(
            self.launches - earlier.launches,
            kernels=kernels,
            allocations=self.allocations - earlier.allocations,
            peak_bytes=self.peak_bytes,
            **traffic,
        )


def launch(kernel: str, count: int = 1) -> None:
    """Count `count` launches of `kernel`."""
    if count:
        KERNELS[kernel] += count


def join(arrays: list[Any], dtype: Any) -> None:
    """Count what joining NumPy arrays to one of `dtype` launches.

    One copy for each; of more than eight with this dtype, of less than 2 MiB on average, all in one
    kernel. Source: ``_concatenate``, _routines_manipulation.pyx.
    """
    together = (
        len(arrays) > 8
        and all(a.dtype == dtype for a in arrays)
        and sum(a.nbytes for a in arrays) < _JOINED * len(arrays)
    )
    KERNELS["cupy_concatenate"] += 1 if together else len(arrays)


_JOINED = 2 * 1024 * 1024


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
    """Counts since the process started; the peak is that of the innermost open block."""
    return Snapshot(
        sum(KERNELS.values()),
        kernels=dict(KERNELS),
        allocations=MEMORY.allocations,
        peak_bytes=MEMORY.peak,
        **_TRAFFIC,
    )


class Counting:
    """Handle given by :func:`count`; it has the attributes of :class:`Snapshot`.

    They are read at any time, and keep their values at the block's end.
    """

    def __init__(self) -> None:
        self._start = snapshot()
        self._end: Snapshot | None = None
        MEMORY.peak = MEMORY.live
        MEMORY.settle()

    @property
    def snapshot(self) -> Snapshot:
        """Counts since the block was entered, until now or until its end."""
        return (self._end or snapshot()).minus(self._start)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document of the command line, for this block."""
        return self.snapshot.as_dict()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.snapshot, name)

    def stop(self) -> None:
        """Freeze the counts."""
        self._end = snapshot()
        MEMORY.peak = max(MEMORY.peak, self._start.peak_bytes)
        MEMORY.settle()


@contextmanager
def count() -> Iterator[Counting]:
    """Count what the block asks of the device.

    Yields
    ------
    Counting
        Counts as attributes (``launches``, ``d2h``, ``kernels``, ...), also after the block, and
        as JSON by ``as_dict()``. Blocks nest. They count what all threads do.
    """
    handle = Counting()
    try:
        yield handle
    finally:
        handle.stop()


@contextmanager
def as_one(kernel: str) -> Iterator[None]:
    """Count all that the block asks of the device as one launch of `kernel`.

    Memory that outlives the block stays counted, as an allocation each time the block ran.
    """
    kernels, traffic = dict(KERNELS), dict(_TRAFFIC)
    allocations, peak, held = MEMORY.allocations, MEMORY.peak, MEMORY.held
    try:
        yield
    finally:
        KERNELS.clear()
        KERNELS.update(kernels)
        _TRAFFIC.update(traffic)
        MEMORY.allocations, MEMORY.peak = allocations, max(peak, MEMORY.live)
        MEMORY.held = held if held > MEMORY.live else MEMORY.live
        MEMORY.settle()
    KERNELS[kernel] += 1
