"""Recorded objects that know each other, are pickled their own way or are not known whole."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpuport.recording.describe import describe
from gpuport.verify.records import Verdict, VerifyOptions

IMPORTS = "import threading\n\nimport numpy as np\n\n\n"
CLASSES = {
    "Chain": """
class Part:
    def __init__(self, owner):
        self.owner = owner


class Chain:
    def __init__(self, path):
        with open(path) as file:
            self.gain = float(file.read())
        self.rule = self.scaled
        self.part = Part(self)

    def scaled(self, x: np.ndarray):
        return self.gain * x

    def run(self, x: np.ndarray):
        return self.part.owner.rule(x) + 1.0
""",
    "Guarded": """
class Guarded:
    def __init__(self, path):
        with open(path) as file:
            self.gain = float(file.read())
        self.view = memoryview(bytes(2))

    def __getstate__(self):
        return {"gain": self.gain}

    def __setstate__(self, state):
        self.gain = state["gain"]
        self.view = memoryview(bytes(2))

    def run(self, x: np.ndarray):
        return self.gain * x + self.view.nbytes
""",
    "Logged": """
class Logged:
    def __init__(self, path):
        with open(path) as file:
            self.gain = float(file.read())
        self.view = memoryview(bytes(2))
        self.lock = threading.Lock()

    def run(self, x: np.ndarray):
        with self.lock:
            return self.gain * x + 1.0

    def viewed(self, x: np.ndarray):
        with self.view:
            return self.gain * x
""",
}


def instance_of(name: str, folder: Path) -> Any:
    space: dict[str, Any] = {"__name__": "module"}
    exec(IMPORTS + CLASSES[name], space)
    (file := folder / "gain.txt").write_text("0.25")
    return describe(space[name](file), ())


@pytest.fixture
def judged(verify: Any, recorded: Callable[..., None], tmp_path: Path) -> Callable[..., Any]:
    """What is said of a function, called as a recording has it, that computes something else."""

    def verdict(function: str, new: str, trusted: bool = False) -> Any:
        name = function.partition(".")[0]
        recorded(function, instance=instance_of(name, tmp_path), x=np.ones((6, 2)))
        text = IMPORTS + CLASSES[name]
        brief = VerifyOptions(root=tmp_path, function_seconds=4.0, trust_recording=trusted)
        return verify(text, text.replace("self.gain * x", new), brief)[function]

    return verdict


def test_cycles_and_methods_as_attributes(judged: Callable[..., Any]) -> None:
    same = judged("Chain.run", "x * self.gain")
    assert same.verdict is Verdict.EQUIVALENT, same
    assert same.evidence.inputs == "recorded"
    wrong = judged("Chain.run", "x * self.gain * (len(x) != 5)")
    assert wrong.verdict is Verdict.DIFFERS
    assert wrong.counterexample is not None
    words = [sys.executable, "-m", "pytest", "-q", str(wrong.counterexample.test)]
    replayed = subprocess.run(words, capture_output=True, text=True, check=False)
    assert replayed.returncode == 1, replayed.stdout
    assert "max relative difference" in replayed.stdout.lower(), replayed.stdout


def test_what_is_pickled_its_own_way(judged: Callable[..., Any]) -> None:
    same = judged("Guarded.run", "x * self.gain")
    assert same.evidence.inputs != "recorded"
    ((told, count),) = (note for note in same.evidence.notes if "--trust-recording" in note[0])
    assert "`module:Guarded.__setstate__`" in told
    assert count == 1
    same = judged("Guarded.run", "x * self.gain", trusted=True)
    assert same.verdict is Verdict.EQUIVALENT, same
    assert same.evidence.inputs == "recorded"
    assert any(
        "`module:Guarded.__setstate__` (--trust-recording)" in n for n, _ in same.evidence.notes
    )
    wrong = judged("Guarded.run", "x * -self.gain", trusted=True)
    assert wrong.verdict is Verdict.DIFFERS
    assert wrong.counterexample is not None
    words = [sys.executable, "-m", "pytest", "-q", str(wrong.counterexample.test)]
    replayed = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "max relative difference" in replayed.stdout.lower(), replayed.stdout


def test_what_is_not_known_of_an_object_is_left_out(judged: Callable[..., Any]) -> None:
    same = judged("Logged.run", "x * self.gain")
    assert same.verdict is Verdict.EQUIVALENT, same
    assert judged("Logged.run", "2 * x").verdict is Verdict.DIFFERS
    needed = judged("Logged.viewed", "2 * x")
    assert needed.verdict is Verdict.UNTESTED
