"""State that earlier calls made moves as their arguments do."""

from __future__ import annotations

from typing import Any

from gpuport.verify.records import Verdict

ORIGINAL = """
class Kept:
    def __init__(self):
        self.kept = np.zeros(4)
        self.count = 0

    def push(self, x: "NDArray[np.complex64]"):
        self.kept[self.count % 4] = np.max(np.abs(x))
        self.count += 1
        return self.kept.sum()
"""
PORT = ORIGINAL.replace("    def push", '    @device("x")\n    def push').replace(
    "np.max(np.abs(x))", "float({absolute}.max())"
)


def test_state_of_single_precision_is_no_fault(verify: Any) -> None:
    found = verify(ORIGINAL, PORT.format(absolute="cp.abs(x)"))["Kept.push"]
    assert found.verdict is Verdict.EQUIVALENT, found
    # by hypot on the one side and a root on the other: an ULP of single precision
    root = "cp.sqrt(x.real * x.real + x.imag * x.imag)"
    kept = verify(ORIGINAL, PORT.format(absolute=root))["Kept.push"]
    assert "argument self.kept: value" not in kept.reason or "inf" in kept.reason, kept


def test_a_fault_of_such_state_is_found(verify: Any) -> None:
    port = PORT.format(absolute="cp.abs(x.real)")
    assert verify(ORIGINAL, port)["Kept.push"].verdict is Verdict.DIFFERS
