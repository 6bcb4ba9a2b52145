"""Which arguments a function without a boundary takes on the device is found out, not chosen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from gpuport.verify.campaign import Campaign
from gpuport.verify.slots import Slot, Trial

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
    campaign = Campaign.__new__(Campaign)
    campaign.device = None
    campaign.facts = SimpleNamespace(internal=True, device_result=False)  # type: ignore[assignment]
    campaign.acceptance = SimpleNamespace(needed=())  # type: ignore[assignment]
    answers = {("x",): with_array, (): without}
    compare = SimpleNamespace(compare=lambda trial: answers[trial.device])
    campaign.examiner = compare  # type: ignore[assignment]
    _, answer = campaign._other_residency(TRIAL, ON_DEVICE)
    assert answer["status"] == status
    assert campaign.device == device
