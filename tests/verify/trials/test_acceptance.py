"""Which refusals are put down to the instance, so that no time is lost on its arguments."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from gpuport.verify.records import VerifyOptions
from gpuport.verify.sides.changes import PortFacts
from gpuport.verify.signatures.signatures import signatures_of
from gpuport.verify.slots import Trial
from gpuport.verify.trials.acceptance import Acceptance, Sources
from gpuport.verify.trials.evidence import Tally
from gpuport.verify.trials.examiner import Examiner
from gpuport.verify.trials.isolation import Worker

TEXT = """
class Model:
    def __init__(self):
        self.size = None

    def predict(self, x, y, z):
        return np.zeros(self.size) + x + y + z
"""
NOT_SET = "'NoneType' object cannot be interpreted as an integer"


class Refusing(Examiner):
    """The original refuses everything in the same way."""

    def __init__(self, message: str, text: str) -> None:
        worker = Worker({}, Path())
        super().__init__(worker, "Model.predict", VerifyOptions(), Tally())
        self.said = {"raised": "TypeError", "message": message, "text": text, "line": 3}
        self.asked = 0

    def accepts(self, trial: Trial, function: str | None = None) -> dict[str, Any]:
        self.asked += 1
        return {**self.said, "explicit": False}


@pytest.mark.parametrize(
    ("message", "text", "of_state"),
    [
        (NOT_SET, "return np.zeros(self.size)", True),
        (NOT_SET, "return np.zeros(self.size) + x", False),
        ("unsupported operand", "return np.zeros(self.size)", False),
        (NOT_SET, "return np.zeros(size)", False),
    ],
)
def test_what_is_none_yet_is_the_state_of_the_instance(
    message: str, text: str, of_state: bool
) -> None:
    signature = next(s for s in signatures_of(ast.parse(TEXT)) if s.name == "Model.predict")
    examiner = Refusing(message, text)
    assert Acceptance(examiner, signature, PortFacts(), Sources()).templates() == []
    assert (examiner.asked < 100) is of_state
