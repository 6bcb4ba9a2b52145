"""How often each ported function ran on the device, how often on the host, and why."""

from __future__ import annotations

import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CallStats:
    """Calls of one ported function so far.

    Attributes
    ----------
    device : int
        Calls whose body ran with CuPy.
    host : int
        Calls whose body ran with NumPy.
    fallbacks : int
        Those of the host calls that only a missing device or full device memory sent there.
    reason : str or None
        Why the last host call took the host path.
    unfused : int
        Calls of a kernel whose Python body ran on the device, operation by operation.
    """

    device: int = 0
    host: int = 0
    fallbacks: int = 0
    reason: str | None = None
    unfused: int = 0


class Counter:
    """The running counts behind one :class:`CallStats`."""

    __slots__ = ("_lock", "device", "fallbacks", "host", "reason", "unfused")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.clear()

    def clear(self) -> None:
        self.device = 0
        self.host = 0
        self.fallbacks = 0
        self.reason: str | None = None
        self.unfused = 0

    def count_device(self) -> None:
        with self._lock:
            self.device += 1

    def count_host(self, reason: str, *, fallback: bool) -> None:
        with self._lock:
            self.host += 1
            self.fallbacks += fallback
            self.reason = reason

    def count_numpy(self) -> None:
        """A call of a kernel whose arrays are NumPy's: nothing is to be said of it."""
        with self._lock:
            self.host += 1

    def count_unfused(self, reason: str) -> None:
        with self._lock:
            self.unfused += 1
            self.reason = reason

    def snapshot(self) -> CallStats:
        with self._lock:
            return CallStats(self.device, self.host, self.fallbacks, self.reason, self.unfused)


_counters: dict[str, Counter] = {}


def counter_of(name: str) -> Counter:
    """The counter of the function called ``name`` (``module.qualname``), made on first use.

    Functions made anew under one name, as closures are, share their counter.
    """
    return _counters.setdefault(name, Counter())


def stats() -> dict[str, CallStats]:
    """Calls per ported function.

    Returns
    -------
    dict of str to CallStats
        By ``module.qualname``, in the order of these; functions never called are left out.
    """
    taken = {name: counter.snapshot() for name, counter in sorted(_counters.items())}
    return {
        name: counts
        for name, counts in taken.items()
        if counts.device or counts.host or counts.unfused
    }


def reset_stats() -> None:
    """Set every count back to zero."""
    for counter in _counters.values():
        counter.clear()
