"""How long a function has been looked at, by what the two processes had of a processor."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.verify.sides.processortime import ProcessorTime
from gpuport.verify.trials import elapsed
from gpuport.verify.trials.elapsed import Elapsed
from gpuport.verify.trials.isolation import Worker


class Machine(Worker):
    """A worker, the clock, and what each of the two threads has had."""

    def __init__(self, patch: pytest.MonkeyPatch, told: bool = True) -> None:
        super().__init__({}, Path())
        self.clock = self.own = 0.0
        self.theirs = {7: 5.0}
        self.number: int | None = 7
        patch.setattr(elapsed.time, "monotonic", lambda: self.clock)
        patch.setattr(elapsed.time, "thread_time", lambda: self.own)
        patch.setattr(
            elapsed,
            "processor_time",
            lambda process: ProcessorTime(self.theirs[process], True) if told else None,
        )

    @property
    def process(self) -> int | None:
        return self.number


def test_other_work_on_the_machine_takes_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    looked_at = Elapsed(machine)
    machine.clock, machine.own, machine.theirs[7] = 10.0, 1.0, 8.0
    assert looked_at.seconds() == 4.0


def test_what_runs_beside_each_other_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    looked_at = Elapsed(machine)
    machine.clock, machine.own, machine.theirs[7] = 10.0, 9.0, 14.0
    assert looked_at.seconds() == 10.0


def test_sleep_counts_a_third(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    looked_at = Elapsed(machine)
    machine.clock = 9.0
    assert looked_at.seconds() == 3.0


def test_a_new_process_adds_to_the_old_one(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch)
    looked_at = Elapsed(machine)
    machine.clock, machine.theirs[7] = 2.0, 6.0
    assert looked_at.seconds() == 1.0
    machine.clock, machine.number, machine.theirs[8] = 6.0, 8, 3.0
    assert looked_at.seconds() == 4.0


def test_by_the_clock_where_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, told=False)
    looked_at = Elapsed(machine)
    machine.clock = 9.0
    assert looked_at.seconds() == 9.0
