"""How far a run has come, told while it goes on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from gpuport.verify.records import FunctionVerdict


@dataclass(frozen=True, slots=True)
class Step:
    """Where a run is.

    Attributes
    ----------
    done, total : int
        Functions that have a verdict, and those of the files begun so far.
    running : tuple of str
        Those that are looked at right now, as ``file: function``.
    place : str
        The function that has got its verdict with this step; empty where one begins.
    verdict : FunctionVerdict or None
        And the verdict.
    """

    done: int
    total: int
    running: tuple[str, ...] = ()
    place: str = ""
    verdict: FunctionVerdict | None = None


class Progress:
    """Functions done, running and begun, over files that are verified at a time."""

    def __init__(self, tell: Callable[[Step], None] | None) -> None:
        self._tell = tell
        self._done = self._total = 0
        self._running: dict[str, None] = {}
        self._lock = threading.Lock()

    def begin(self, functions: int) -> None:
        """A file with so many functions begins."""
        with self._lock:
            self._total += functions

    def start(self, file: str, name: str) -> None:
        """One function begins."""
        with self._lock:
            self._running[f"{file}: {name}"] = None
            self._told("", None)

    def step(self, file: str, verdict: FunctionVerdict) -> FunctionVerdict:
        """One function is done; gives its verdict back."""
        with self._lock:
            place = f"{file}: {verdict.name}"
            self._running.pop(place, None)
            self._done += 1
            self._told(place, verdict)
        return verdict

    def _told(self, place: str, verdict: FunctionVerdict | None) -> None:
        if self._tell is not None:
            running = tuple(self._running)
            self._tell(Step(self._done, self._total, running, place, verdict))


__all__ = ["Progress", "Step"]
