"""A port without an answer in time: hung where small inputs hang, else slow or open."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.verify.records import VerifyOptions
from gpuport.verify.slots import Slot, Trial
from gpuport.verify.trials.isolation import HUNG
from gpuport.verify.verdicts.slowness import Slowness

LATE = {"status": "port-lost", "difference": f"{HUNG} 10 s"}
TRIAL = Trial((Slot("x", "array", None, ("n",)),), sizes={"n": 64})


class Timed:
    """An examiner of sides that take so many seconds for so many elements."""

    def __init__(self, original: Callable[[int], float], port: Callable[[int], float]) -> None:
        self.options = VerifyOptions()
        self.worker = SimpleNamespace(backend="host emulation")
        self.share = 1.0
        self.original, self.port = original, port
        self.compared: list[int] = []

    @property
    def patience(self) -> float:
        return self.share * self.options.example_seconds

    def accepts(self, trial: Trial) -> dict[str, Any]:
        return {"seconds": self.original(trial.sizes["n"])}

    def compare(self, trial: Trial) -> dict[str, Any]:
        n = trial.sizes["n"]
        self.compared.append(n)
        if self.port(n) > self.patience:
            return LATE
        return {"status": "equal", "seconds": self.original(n), "port_seconds": self.port(n)}


@pytest.mark.parametrize(
    ("original", "port", "status"),
    [
        (lambda n: 1e-5, lambda n: 1e9, "port-lost"),
        (lambda n: 1e-5, lambda n: 1e9 if n > 50 else 1e-3, "unanswered"),
        (lambda n: 1e-5 * n, lambda n: 5e-3 * n**2, "slow"),
        (lambda n: 0.5, lambda n: 1e9, "unanswered"),
    ],
    ids=["small inputs hang", "large ones hang", "it grows", "the original is slow too"],
)
def test_only_what_hangs_on_small_inputs_is_an_error(
    original: Callable[[int], float], port: Callable[[int], float], status: str
) -> None:
    examiner: Any = Timed(original, port)
    slowness = Slowness(examiner)
    trial, answer = slowness.judged(TRIAL, LATE)
    assert answer["status"] == status
    assert examiner.compared[0] == 16  # a smaller example is tried first
    assert (trial.sizes["n"] < TRIAL.sizes["n"]) is (status == "port-lost")
    assert bool(slowness.unanswered) is (status == "unanswered")


def test_what_took_long_before_is_foretold() -> None:
    examiner: Any = Timed(lambda n: 0.1, lambda n: 1e9)
    slowness = Slowness(examiner)
    slowness.learn({"status": "equal", "seconds": 0.05, "port_seconds": 4.0})
    assert slowness.judged(TRIAL, LATE)[1]["status"] == "slow"
    assert examiner.compared == []


def test_other_failures_are_as_they_are() -> None:
    examiner: Any = Timed(lambda n: 0.1, lambda n: 0.1)
    died = {"status": "port-lost", "difference": "the process was killed by SIGSEGV"}
    assert Slowness(examiner).judged(TRIAL, died) == (TRIAL, died)
