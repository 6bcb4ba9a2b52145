"""A worker that is kept waiting by other work has not hung; one that waits by itself has."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpuport.verify.sides.processortime import ProcessorTime, processor_time
from gpuport.verify.slots import Trial
from gpuport.verify.trials import isolation
from gpuport.verify.trials.isolation import Worker, WorkerLost

SLOW = "import time\n\n\ndef f():\n    time.sleep(0.8)\n"
_LIMIT = 0.2


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Worker]:
    file = tmp_path / "m.py"
    file.write_text(SLOW)
    place = {"root": str(tmp_path), "module": "m", "file": str(file)}
    load = {
        "op": "load", "original": place, "port": place, "scratch": str(tmp_path),
        "backend": "host", "host_module": "gpuport.host", "memory": 4 << 30,
    }  # fmt: skip
    with Worker(load, tmp_path) as made:
        made.start()
        yield made


def probe(worker: Worker) -> dict[str, object]:
    request = {"op": "probe", "function": "f", "trial": Trial(()).to_json()}
    return worker.ask(request, _LIMIT)


def test_who_sleeps_hangs(worker: Worker) -> None:
    with pytest.raises(WorkerLost, match="no answer within"):
        probe(worker)


def test_who_would_run_and_may_not_is_waited_for(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(isolation, "processor_time", lambda process: ProcessorTime(0.0, True))
    assert probe(worker)["raised"] is None


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="told by /proc alone")
def test_what_a_process_uses_is_told() -> None:
    before = processor_time(os.getpid())
    begun = time.process_time()
    while time.process_time() - begun < 0.1:
        pass
    now = processor_time(os.getpid())
    assert before is not None
    assert now is not None
    assert now.seconds - before.seconds > 0.05
    assert now.runnable
    assert now.starved(before, 60.0)
    assert not now.starved(before, 0.01)


def test_of_no_process_nothing_is_known() -> None:
    assert processor_time(1 << 30) is None
