"""Loops on a few elements stay since NumPy is done with them first, and that is what is told."""

from __future__ import annotations

from tests.passes.conftest import port

from gpuport.records import Finding, Severity, Status

TRACK = """\
import numpy as np


def track(z: np.ndarray, dt: float):
    x = np.zeros(2)
    P = np.eye(2)
    F = np.array([[1.0, dt], [0.0, 1.0]])
    out = []
    for t in range(len(z)):
        value = float(z[t])
        x = F @ x
        P = F @ P @ F.T
        k = P[:, 0] / (P[0, 0] + 0.1)
        x = x + k * (value - x[0])
        for i in range(2):
            P[i] = P[i] - k[i] * P[0]
        out.append(x[0])
    return np.array(out)
"""


def of_loops(text: str) -> list[Finding]:
    """What is told of the loops of a function."""
    return [one for one in port(text).findings if "the loop stays in Python" in one.message]


def test_what_would_gain_nothing_is_not_asked_for() -> None:
    (one,) = of_loops(TRACK)
    assert (one.code, one.severity, one.span.line) == ("GP407", Severity.INFO, 9)
    assert "a few elements each" in one.message
    (function,) = (one for one in port(TRACK).functions if one.name == "track")
    assert (function.status, function.reasons) == (Status.REFUSED, ("GP407",))


def test_loops_on_arrays_of_unknown_size_keep_their_own_reason() -> None:
    large = TRACK.replace("np.zeros(2)", "np.zeros(len(z))").replace("np.eye(2)", "np.eye(len(z))")
    found = of_loops(large.replace("[[1.0, dt], [0.0, 1.0]]", "np.outer(z, z)"))
    assert found
    assert all(one.code != "GP407" and one.severity is Severity.WARNING for one in found)


def test_a_loop_with_other_work_in_it_keeps_its_own_reason() -> None:
    more = TRACK.replace("        out.append", "        z = np.sin(z) * x[0]\n        out.append")
    (one,) = of_loops(more)
    assert (one.code, one.severity) == ("GP201", Severity.WARNING)
