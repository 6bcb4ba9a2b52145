"""Examples that are asked ahead: answers in order, and a loss put down to the right one."""

from __future__ import annotations

from collections import deque
from typing import Any

from gpuport.verify.inputs.sizes import AHEAD
from gpuport.verify.records import VerifyOptions
from gpuport.verify.slots import Trial
from gpuport.verify.trials.evidence import Tally
from gpuport.verify.trials.examiner import Examiner
from gpuport.verify.trials.isolation import WorkerLost


class Scripted:
    """A worker whose answers say which trial they are of; it is lost where it is told to be."""

    def __init__(self, lost: set[int] = frozenset(), room: int = 99) -> None:  # type: ignore[assignment]
        self.lost = lost
        self.room = room
        self.queue: deque[int] = deque()
        self.deepest = 0
        self.process = None

    @property
    def waiting(self) -> int:
        return len(self.queue)

    def post(self, request: dict[str, Any]) -> bool:
        if len(self.queue) >= self.room:
            return False
        self.queue.append(request["trial"]["seed"][-1])
        self.deepest = max(self.deepest, len(self.queue))
        return True

    def take(self, seconds: float) -> dict[str, Any]:
        number = self.queue.popleft()
        if number in self.lost:
            self.queue.clear()
            raise WorkerLost("port", "no answer")
        return {"status": "equal", "number": number}


def answers(worker: Any, settled: bool = True) -> list[tuple[int, dict[str, Any]]]:
    examiner = Examiner(worker, "f", VerifyOptions(), Tally())
    trials = (Trial((), seed=(0, k)) for k in range(20))
    return [(t.seed[-1], a) for t, a in examiner.compared(trials, lambda: settled)]


def test_answers_come_in_order_and_belong_to_their_trials() -> None:
    worker = Scripted()
    assert [(k, a["number"]) for k, a in answers(worker)] == [(k, k) for k in range(20)]
    assert worker.deepest == AHEAD


def test_nothing_is_asked_ahead_before_the_residency_is_settled() -> None:
    worker = Scripted()
    assert len(answers(worker, settled=False)) == 20
    assert worker.deepest == 1


def test_a_loss_is_the_fault_of_one_and_the_others_are_asked_again() -> None:
    found = dict(answers(Scripted(lost={3, 11})))
    assert list(found) == list(range(20))
    assert [k for k, a in found.items() if a["status"] == "port-lost"] == [3, 11]


def test_a_worker_that_takes_no_more_is_waited_for() -> None:
    worker = Scripted(room=2)
    assert [k for k, _ in answers(worker)] == list(range(20))
    assert worker.deepest == 2
