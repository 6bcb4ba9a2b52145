"""What the worker is asked about one function: whether inputs are accepted, what both sides do."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from gpuport.verify.inputs.sizes import AHEAD
from gpuport.verify.records import VerifyOptions
from gpuport.verify.signatures.kinds import Given
from gpuport.verify.slots import Trial
from gpuport.verify.trials.elapsed import Elapsed
from gpuport.verify.trials.evidence import MINIMUM_ACCEPTED, Tally
from gpuport.verify.trials.isolation import Worker, WorkerLost

_PROBE_SECONDS = 3.0
_LOST_LIMIT = 3
# examples after which it is known how long the original takes; how much longer it may take then,
# as its lines may be watched, and what it has in any case
_USUAL, _TRACED_TIMES, _LEAST_SECONDS = 5, 100, 1.0
# seconds of the original from which on an example is left out, once this share of the time is over:
# each is called again and again
_COSTLY, _UNSPARING = 0.2, 0.2
_KEPT_FOR_EDGES = 0.25  # of a function's time: a slow one has no other examples at its ends

Answer = dict[str, Any]


class Examiner:
    """Questions about one function, within its limits; what is lost is put down in the tally."""

    def __init__(self, worker: Worker, function: str, options: VerifyOptions, tally: Tally) -> None:
        self.worker = worker
        self.function = function
        self.options = options
        self.tally = tally
        worker.original_seconds = math.inf
        self.share = 1.0  # of the time of an example: what is waited for the port
        self._elapsed = Elapsed(worker)
        self._longest = 0.0

    @property
    def elapsed(self) -> float:
        """Seconds of its time that are over, other work on the machine left out."""
        return self._elapsed.seconds()

    @property
    def late(self) -> bool:
        """Whether the function has had its time."""
        return self.elapsed > self.options.function_seconds

    @property
    def exhausted(self) -> bool:
        """Whether nothing more may be tried: no time is left, or the worker was lost too often."""
        return self.late or self.unsafe

    @property
    def unsafe(self) -> bool:
        """Whether the worker was lost too often."""
        return sum(self.tally.lost.values()) >= _LOST_LIMIT

    @property
    def mostly_late(self) -> bool:
        """Whether what is left of its time is kept for examples that stand at an edge."""
        return not self.remains(_KEPT_FOR_EDGES * self.options.function_seconds)

    @property
    def spent(self) -> float:
        """The share of its time that is over."""
        return self.elapsed / self.options.function_seconds

    def remains(self, seconds: float) -> bool:
        """Whether there are so many seconds left."""
        return self.elapsed + seconds <= self.options.function_seconds

    def ask(
        self,
        operation: str,
        trial: Trial,
        limit: float = _PROBE_SECONDS,
        function: str | None = None,
        **more: Any,
    ) -> Answer:
        """One request and its answer.

        Raises
        ------
        WorkerLost
            Where none came, or the worker itself failed.
        """
        return _sound(self.worker.ask(self._request(operation, trial, function, **more), limit))

    def accepts(self, trial: Trial, function: str | None = None) -> Answer | None:
        """What the original did with an input; None where nothing is known of it."""
        return self._original("probe", trial, function)

    def inside(self, trial: Trial, caller: str) -> Answer | None:
        """The same of another function, with the calls of this one that it makes."""
        return self._original("inside", trial, caller, wanted=self.function)

    def _original(
        self, operation: str, trial: Trial, function: str | None, **more: str
    ) -> Answer | None:
        if self.exhausted:
            return None
        # the first call may compile, and so may every one after a restart
        patient = not self.tally.drawn_or_refused or self.tally.lost
        seconds = min(_PROBE_SECONDS * (4 if patient else 1), self.options.example_seconds)
        try:
            return self.ask(operation, trial, seconds, function, **more)
        except WorkerLost as lost:
            self.tally.lost[lost.what] += 1
            return None

    def foreign(self, trial: Trial, given: Given, *, typed: bool = False) -> str | None:
        """What of a trial is such as none of the calls that are known has; None where some has.

        Where it is the type or the structure that differs, `typed`, it is not enough that real
        numbers are of another type or have other axes: nothing tells who gives such to the port.
        """
        try:
            kinds = self.ask("kinds", trial)["kinds"]
        except WorkerLost:
            return "it hangs"
        if typed and given.differs_in_type_alone(kinds):
            return None
        return given.foreign(kinds)

    def begin(self) -> None:
        """Let nothing count that has run of the function so far."""
        with suppress(WorkerLost):
            self.worker.ask({"op": "afresh", "function": self.function}, _PROBE_SECONDS)

    def compare(self, trial: Trial, *, sparing: bool = False) -> Answer:
        """Both sides on one trial; `sparing`: it is one of many, and need not be compared."""
        most = self._most if sparing else None
        try:
            answer = self.ask("compare", trial, self.patience, most=most)
        except WorkerLost as lost:
            return self._lost(lost)
        self._known(answer)
        return answer

    @property
    def patience(self) -> float:
        """How many seconds each call of an example may take."""
        return self.share * self.options.example_seconds

    @property
    def _most(self) -> float | None:
        """Seconds of the original from which an example would take the time of many others."""
        known = self.tally.accepted >= MINIMUM_ACCEPTED
        return _COSTLY if known and self.spent > _UNSPARING else None

    def _known(self, answer: Answer) -> None:
        """What an answer tells of the function: what has run, and how long the original takes.

        `numpy.linalg.lstsq` may take forever on one infinity, which proves nothing.
        """
        self.tally.cover(answer)
        self._longest = max(self._longest, answer.get("seconds", 0.0))
        if self.tally.accepted >= _USUAL:
            self.worker.original_seconds = max(_LEAST_SECONDS, _TRACED_TIMES * self._longest)

    def compared(
        self, trials: Iterable[Trial], settled: Callable[[], bool]
    ) -> Iterator[tuple[Trial, Answer]]:
        """Both sides on each trial, in order; the next ones are sent while the worker compares.

        Only where it is `settled` how the port is called, as that changes with the answers.
        """
        source, waiting = iter(trials), deque[Trial]()
        while True:
            waiting.extend(_next(source, (AHEAD if settled() else 1) - len(waiting)))
            if not waiting:
                return
            try:
                while self.worker.waiting < len(waiting):
                    trial = waiting[self.worker.waiting]
                    request = self._request("compare", trial, most=self._most)
                    if not self.worker.post(request):
                        break
                answer = _sound(self.worker.take(self.patience))
                self._known(answer)
            except WorkerLost as lost:
                answer = self._lost(lost)
            yield waiting.popleft(), answer

    def _lost(self, lost: WorkerLost) -> Answer:
        if lost.stage == "port":
            return {"status": "port-lost", "difference": lost.what}
        self.tally.lost[f"{lost.stage}: {lost.what}"] += 1
        return {"status": "lost"}

    def _request(
        self, operation: str, trial: Trial, function: str | None = None, **more: Any
    ) -> dict[str, Any]:
        name = function or self.function
        return {"op": operation, "function": name, "trial": trial.to_json(), **more}


def failing(answer: Answer) -> bool:
    """Whether the two sides were compared and differ, or the port alone failed."""
    return answer["status"] in ("differs", "port-raised", "port-lost")


def _sound(answer: Answer) -> Answer:
    if answer.get("status") == "failed":
        raise WorkerLost("verifier", str(answer["message"]))
    return answer


def _next(source: Iterator[Trial], count: int) -> Iterator[Trial]:
    for _ in range(count):
        trial = next(source, None)
        if trial is None:
            return
        yield trial
