"""Instances whose attributes no plain value stands for, replayed from recordings."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from gpuport.recording.describe import describe
from gpuport.verify.records import Verdict

TEXT = """
class Tracker:
    def __init__(self, path):
        with open(path) as file:
            self.history, self.rng, self.gain = eval(file.read())

    def smoothed(self, x: np.ndarray):
        return self.gain * x + sum(self.history) + self.rng.normal()

    def step(self, x: np.ndarray):
        self.history.append(self.gain * float(x.sum()))
        return x + self.history[0]
"""


def test_queues_and_older_generators(verify: Any, recorded: Callable[..., None]) -> None:
    attributes = {
        "history": describe(deque([0.5, 1.5], maxlen=2), ()),
        "rng": describe(np.random.RandomState(3), ()),
        "gain": {"float": (0.25).hex()},
    }
    instance = {"object": {"class": "module:Tracker", "attributes": attributes}}
    for name in ("smoothed", "step"):
        recorded(f"Tracker.{name}", instance=instance, x=np.linspace(-1.0, 1.0, 6))
        right = verify(TEXT, TEXT.replace("self.gain *", "1.0 * self.gain *"))[f"Tracker.{name}"]
        assert right.verdict is Verdict.EQUIVALENT, right
    wrong = {
        "smoothed": ("sum(self.history)", "max(self.history)"),
        "step": ("self.history.append(", "self.history.appendleft("),
    }
    for name, (old, new) in wrong.items():
        recorded(f"Tracker.{name}", instance=instance, x=np.linspace(-1.0, 1.0, 6))
        found = verify(TEXT, TEXT.replace(old, new))[f"Tracker.{name}"]
        assert found.verdict is Verdict.DIFFERS, found


KEYED = """
class Scaled:
    def __init__(self, path, mode="double"):
        with open(path) as file:
            self.gain = float(file.read())
        self.mode = mode

    def run(self, x: np.ndarray):
        return {"double": x * 2, "half": x / 2}[self.mode] * self.gain
"""


def test_texts_that_were_not_kept_are_those_that_the_constructor_takes(
    verify: Any, recorded: Callable[..., None]
) -> None:
    attributes = {"mode": {"secret": len("double")}, "gain": {"float": (0.25).hex()}}
    instance = {"object": {"class": "module:Scaled", "attributes": attributes}}
    recorded("Scaled.run", instance=instance, x=np.linspace(-1.0, 1.0, 6))
    right = verify(KEYED, KEYED.replace("x * 2", "2 * x"))["Scaled.run"]
    assert right.verdict is Verdict.EQUIVALENT, right
    assert right.evidence.inputs == "recorded"
    wrong = verify(KEYED, KEYED.replace("x * 2", "x * 3"))["Scaled.run"]
    assert wrong.verdict is Verdict.DIFFERS
