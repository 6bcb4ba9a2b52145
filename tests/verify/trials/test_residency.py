"""Which arguments a function without a boundary takes on the device is found out, not chosen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.verify.records import Verdict
from gpuport.verify.slots import Slot, Trial
from gpuport.verify.trials.residency import Residency

TRIAL = Trial((Slot("x", "array", dims=("n",)),), sizes={"n": 3})
ON_DEVICE = {"status": "differs", "where": "result", "difference": "type: became a CuPy array"}
OTHER = {"status": "differs", "where": "result[0]", "difference": "value: 1.0 became 0.0"}
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
