"""Which arguments a function without a boundary takes on the device is found out, not chosen."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuport.recording.describe import describe
from gpuport.verify.records import Verdict
from gpuport.verify.slots import Slot, Trial
from gpuport.verify.trials.residency import Residency

TRIAL = Trial((Slot("x", "array", dims=("n",)),), sizes={"n": 3})
ON_DEVICE = {"status": "differs", "where": "result", "difference": "type: became a CuPy array"}
OTHER = {"status": "differs", "where": "result[0]", "difference": "value: 1.0 became 0.0"}
PRINTED = {"status": "differs", "where": "stdout", "difference": "printed number: 1.0 became 2.0"}
RAISED = {"status": "port-raised", "where": "", "difference": "raised TypeError"}
EQUAL = {"status": "equal"}


@pytest.mark.parametrize(
    ("with_array", "without", "status", "device"),
    [
        (EQUAL, EQUAL, "equal", ("x",)),
        (RAISED, EQUAL, "equal", ()),
        (ON_DEVICE, EQUAL, "equal", ()),
        # its kernel gives other values, and only what stands beside it is right
        (OTHER, EQUAL, "differs", None),
        (OTHER, RAISED, "differs", None),
        (PRINTED, RAISED, "differs", None),
    ],
)
def test_other_values_for_device_arrays_are_not_excused(
    with_array: dict[str, Any], without: dict[str, Any], status: str, device: Any
) -> None:
    facts = SimpleNamespace(internal=True, device_result=False)
    answers = {("x",): with_array, (): without}
    examiner = SimpleNamespace(compare=lambda trial: answers[trial.device])
    residency = Residency(examiner, SimpleNamespace(needed=()), facts)  # type: ignore[arg-type]
    _, answer = residency.resolved(TRIAL, ON_DEVICE)
    assert answer["status"] == status
    assert residency.device == device


@pytest.mark.parametrize("others_agree", [True, False])
def test_more_arguments_move_where_all_examples_agree_with_that(others_agree: bool) -> None:
    """A table of the instance is host memory until its key is asked for."""
    refused = {**RAISED, "raised": "TypeError"}
    slots = (Slot("x", "array", dims=("n",)), Slot("y", "array", dims=("n",)))
    first, second = (Trial(slots, sizes={"n": size}) for size in (3, 4))

    def compare(trial: Trial) -> dict[str, Any]:
        both = trial.device == ("x", "y")
        if trial.sizes["n"] == 3:
            return {"status": "equal"} if not both or others_agree else refused
        return {"status": "equal"} if both else refused

    facts = SimpleNamespace(internal=True, device_result=False, reaches_device=True)
    examiner = SimpleNamespace(compare=compare)
    residency = Residency(examiner, SimpleNamespace(needed=()), facts)  # type: ignore[arg-type]
    residency.device, residency.settled = ("x",), True
    residency.agreed(residency.applied(first), {"status": "equal", "counters": {"launches": 1}})
    trial, answer = residency.resolved(residency.applied(second), refused)
    assert answer["status"] == ("equal" if others_agree else "port-raised")
    assert residency.device == (("x", "y") if others_agree else ("x",))
    assert trial.device == residency.device


def test_functions_of_which_the_matrix_must_be_on_the_device_are_called_so(verify: Any) -> None:
    original = """
    def _main_direction(x: "NDArray[np.float64]"):
        values, vectors = np.linalg.eigh(x.T @ x)
        return values[-1:]


    def spread(x: "NDArray[np.float64]"):
        return _main_direction(x) + 1.0
    """
    port = original.replace("np.linalg", "cp.linalg").replace(
        "    def spread", '    @device("x")\n    def spread'
    )
    verdict = verify(original, port)["_main_direction"]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict
    wrong = verify(original, port.replace("-1:", ":1"))["_main_direction"]
    assert wrong.verdict is Verdict.DIFFERS


TRACK = """
class Track:
    def __init__(self, path):
        self.state = np.load(path)
        self.spread = np.load(path)

    def update(self, gain: "NDArray[np.float64]"):
        self.state = self.state + 1.0
        self.spread = np.cbrt(self.spread) * gain
        return self.spread.sum()


if __name__ == "__main__":
    print(Track("no such file").update(np.ones(3)))
"""


def test_some_attributes_of_a_recorded_instance_are_on_the_device(
    verify: Any, recorded: Any, tmp_path: Path
) -> None:
    attributes = {"state": describe(np.ones(3), ()), "spread": describe(np.ones(3), ())}
    instance = {"object": {"class": "module:Track", "attributes": attributes}}
    recorded("Track.update", instance, gain=np.ones(3))
    port = TRACK.replace("np.cbrt(self.spread)", "cp.cbrt(self.spread)")
    port = port.replace("self.state + 1.0", "np.add(self.state, 1.0)")
    port = port.replace("return self.spread.sum()", "return cp.asnumpy(self.spread.sum())[()]")
    right = verify(TRACK, port)["Track.update"]
    assert right.verdict is Verdict.EQUIVALENT, right
    assert "self.self.spread" in str(right.evidence.notes)
    wrong = verify(TRACK, port.replace("* gain", "- gain"))["Track.update"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
    replay = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    test = str(wrong.counterexample.test)  # type: ignore[union-attr]
    done = subprocess.run([*replay, test], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 1
    assert b"AssertionError" in done.stdout
