"""A port that gave no answer in time: slow on the host emulation, hung, or nobody can tell.

Element by element the emulation takes a thousand times as long as NumPy, so that no answer in time
is no fault by itself. A smaller example is tried, as is what examples that ended took.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gpuport.verify.inputs.corners import with_number
from gpuport.verify.inputs.drawing import shown
from gpuport.verify.slots import Trial
from gpuport.verify.trials.examiner import Answer, Examiner
from gpuport.verify.trials.isolation import HUNG

_FEWER = 4  # the factor by which each axis becomes shorter in a smaller example,
_SMALL = 4  # until none is longer than this
_COUNT = 2  # what whole numbers are there, as they may count steps
_MARGIN = 2.0  # how much longer it may take than foretold
_TELLING = 1e-3  # seconds of the original: of shorter calls what they take is not theirs alone
_FAST = 1e-3  # of the limit: what takes the original no longer must not hang in the port
_BRIEF = 0.3  # of the limit: how long smaller examples, and those after a slow one, are waited for


@dataclass(slots=True)
class Slowness:
    """What is known of the time that both sides of a function take.

    Attributes
    ----------
    examiner : Examiner
    ratio : float
        How many times as long as the original the port took, at the most.
    unanswered : str
        The first input on which nobody can tell whether the port hung.
    """

    examiner: Examiner
    ratio: float = 0.0
    unanswered: str = ""

    def learn(self, answer: Answer) -> None:
        """What an example in which both sides agree tells."""
        if answer.get("seconds", 0.0) > _TELLING:
            self.ratio = max(self.ratio, answer.get("port_seconds", 0.0) / answer["seconds"])

    def judged(self, trial: Trial, answer: Answer) -> tuple[Trial, Answer]:
        """The answer where it is none of time; else ``slow``, ``unanswered``, or a smaller one.

        Parameters
        ----------
        trial : Trial
        answer : dict
        """
        if not _is_late(answer) or not self.examiner.worker.backend.startswith("host"):
            return trial, answer
        if self.unanswered:
            return trial, {"status": "unanswered"}
        limit = self.examiner.patience
        hurried, self.examiner.share = self.examiner.share < 1, _BRIEF
        began = self._seconds(trial)
        if _MARGIN * self.ratio * began > limit:
            return trial, {"status": "slow"}
        smallest, found = self._smallest(trial)
        if found["status"] == "equal":
            grown = self._grown(trial, smallest, found)
            if max(grown, _MARGIN * self.ratio * began) > limit:
                return trial, {"status": "slow"}
        if found["status"] in ("differs", "port-raised"):
            return smallest, found
        hung = smallest if _is_late(found) else trial
        if max(hung.sizes.values(), default=0) <= _SMALL and self._seconds(hung) < self._fast:
            return hung, answer
        if hurried:  # it may only have been waited for too briefly
            self.examiner.share = 1.0
            return self.judged(trial, self.examiner.compare(trial))
        self.unanswered = f"{shown(trial)}, where the original took {began:.2g} s"
        return trial, {"status": "unanswered"}

    def _smallest(self, trial: Trial) -> tuple[Trial, Answer]:
        """A smaller example that tells, and what it tells; the last one where all take too long."""
        found: tuple[Trial, Answer] = trial, {"status": "lost"}
        for smaller in _smaller(trial):
            answer = self.examiner.compare(smaller)
            if answer["status"] in ("equal", "differs", "port-raised"):
                return smaller, answer
            if _is_late(answer):
                found = smaller, answer
        return found

    @property
    def _fast(self) -> float:
        return _FAST * self.examiner.options.example_seconds

    def _grown(self, trial: Trial, smaller: Trial, answer: Answer) -> float:
        """How long the port may take, by what a smaller example takes.

        As long as products of matrices do, each element along each axis with every other.
        """
        again = self.examiner.compare(smaller)  # the first may have waited for a new worker
        self.learn(again)
        took = min(float(seen.get("port_seconds", math.inf)) for seen in (answer, again))
        fewer = [max(n, 1) / max(smaller.sizes[name], 1) for name, n in trial.sizes.items()]
        return took * math.prod(fewer) * max(fewer, default=1.0)

    def _seconds(self, trial: Trial) -> float:
        """How long the original takes; a worker that is new takes longer the first time."""
        seen: list[dict[str, Any]] = [self.examiner.accepts(trial) or {} for _ in range(2)]
        return min(float(answer.get("seconds", math.inf)) for answer in seen)


def _is_late(answer: Answer) -> bool:
    return answer["status"] == "port-lost" and HUNG in str(answer["difference"])


def _smaller(trial: Trial) -> Iterator[Trial]:
    """The same with fewer elements, fewer again, and with small whole numbers."""
    slots = tuple(with_number(slot, _COUNT) for slot in trial.slots)
    while max(trial.sizes.values(), default=0) > 1:
        fewer = {name: max(size // _FEWER, min(size, 1)) for name, size in trial.sizes.items()}
        trial = replace(trial, sizes=fewer, slots=slots, edits=())
        yield trial
    if slots != trial.slots:
        yield replace(trial, slots=slots)


__all__ = ["Slowness"]
