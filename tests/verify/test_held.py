"""Arrays that somebody else still holds: a constructor's arguments, what earlier calls returned."""

from __future__ import annotations

from typing import Any

import pytest

from gpuport.verify.records import Verdict

ORIGINAL = """
class Filter:
    def __init__(self, taps: np.ndarray):
        self.taps = taps.copy()
        self.raw = taps
        self.last = np.zeros(3)

    def scale(self, k: float):
        self.raw *= k
        self.last[:] = k
        return self.last

    def history(self):
        return self.last.copy()

    def normalised(self):
        return self.taps / (np.abs(self.taps).sum() + 1.0)
"""
PORT = ORIGINAL.replace(
    "return self.taps / (np.abs(self.taps).sum() + 1.0)",
    "return cp.asnumpy(cp.asarray(self.taps) / (cp.abs(cp.asarray(self.taps)).sum() + 1.0))",
).replace("self.last.copy()", "+self.last")
FAULTS = {
    "memory of the instance is handed out": ("return +self.last", "return self.last"),
    "a caller's array is kept": ("self.taps = taps.copy()", "self.taps = taps"),
    "a caller's array is not changed": ("self.raw *= k", "self.raw = self.raw * k"),
    "an array returned earlier is not changed": ("self.last[:] = k", "self.last = np.full(3, k)"),
}
CACHED = """
_known = {}


def kernel(n: int, s: float):
    if not 0 < n < 65:
        raise ValueError("n")
    if (n, s) not in _known:
        _known[n, s] = np.arange(n) * s
    return _known[n, s]
"""


def test_an_instance_that_shares_as_the_original_does_is_equivalent(verify: Any) -> None:
    found = verify(ORIGINAL, PORT)
    assert {name: v.verdict for name, v in found.items() if v.verdict.failing} == {}
    assert found["Filter.normalised"].verdict is Verdict.EQUIVALENT


@pytest.mark.parametrize("name", FAULTS)
def test_who_holds_an_array_sees_what_becomes_of_it(name: str, verify: Any) -> None:
    before, after = FAULTS[name]
    assert before in PORT
    found = verify(ORIGINAL, PORT.replace(before, after))
    assert any(v.verdict is Verdict.DIFFERS for v in found.values()), found


def test_what_is_remembered_of_the_same_call_is_met(verify: Any) -> None:
    port = CACHED.replace("np.arange(n) * s", "cp.asnumpy(cp.arange(n) * s)")
    assert verify(CACHED, port)["kernel"].verdict is Verdict.EQUIVALENT
    wrong = port.replace(
        "    if (n, s) not", "    if (n, s) in _known:\n        return 1\n    if (n, s) not"
    )
    assert verify(CACHED, wrong)["kernel"].verdict is Verdict.DIFFERS


def test_a_fault_of_an_earlier_call_is_not_this_ones(verify: Any) -> None:
    original = """
    _seen = []

    def share(x: np.ndarray):
        _seen.append(len(x))
        return np.searchsorted(np.sort(x), x, side="right") / len(x)

    def halved(x: np.ndarray):
        return 0.5 * x + 0 * len(_seen)
    """
    port = original.replace(', side="right"', "").replace("0.5 * x", "x * 0.5")
    found = verify(original, port)
    assert found["share"].verdict is Verdict.DIFFERS
    assert found["halved"].verdict is Verdict.EQUIVALENT, found["halved"]
