"""How long a function has been looked at, other work on the machine left out.

A verdict that another program's load can change is none: what keeps both processes waiting for a
processor takes no time from the function's own.
"""

from __future__ import annotations

import time

from gpuport.verify.sides.processortime import processor_time
from gpuport.verify.trials.isolation import Worker

_PATIENCE = 3  # times as long by the clock: sleeping takes no processor either
_STEP = 0.02  # seconds by the clock between two looks at the worker


class Elapsed:
    """Seconds since it was made: those that this thread and the worker had of a processor.

    By the clock where that is less, as the two run beside each other, and no less than a third of
    that; by the clock alone where the system tells nothing of the worker.

    Parameters
    ----------
    worker : Worker
    """

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._clock, self._own = time.monotonic(), time.thread_time()
        self._known: dict[int, tuple[float, float]] = {}  # by process: before, and until now
        self._last = self._looked = 0.0
        self._look()
        self._known = {process: (until, until) for process, (_, until) in self._known.items()}

    def seconds(self) -> float:
        """How many they are now."""
        clock = time.monotonic() - self._clock
        if clock - self._looked >= _STEP:
            self._looked = clock
            self._look()
            theirs = sum(until - before for before, until in self._known.values())
            own = time.thread_time() - self._own
            used = min(clock, own + theirs) if self._known else clock
            self._last = max(used, clock / _PATIENCE, self._last)
        return self._last

    def _look(self) -> None:
        process = self._worker.process
        found = processor_time(process) if process is not None else None
        if process is not None and found is not None:
            before, _ = self._known.get(process, (0.0, 0.0))
            self._known[process] = before, found.seconds


__all__ = ["Elapsed"]
