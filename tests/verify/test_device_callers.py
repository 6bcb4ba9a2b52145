"""Callers that hold device arrays: a boundary takes these too, and they keep them as they are."""

from __future__ import annotations

from typing import Any

from gpuport.verify.records import Verdict

ORIGINAL = """
def share_below(x: np.ndarray, probes: np.ndarray):
    return np.searchsorted(np.sort(x.ravel()), probes) / max(x.size, 1)
"""
PORT = """
@device("x", "probes")
def share_below(x: np.ndarray, probes: np.ndarray):
    s = {}
    return cp.searchsorted(s, probes) / max(x.size, 1)
"""


def test_a_device_array_of_the_caller_stays_as_it_is(verify: Any) -> None:
    right = verify(ORIGINAL, PORT.format("cp.sort(x.ravel())"))["share_below"]
    assert right.verdict is Verdict.EQUIVALENT, right
    sorting = PORT.format("x.ravel()\n    s.sort()")
    found = verify(ORIGINAL, sorting)["share_below"]
    assert found.verdict is Verdict.DIFFERS, found
    assert "argument x" in found.reason
