"""Findings say how often they run, so that what matters most can be told first."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

TEXT = """\
import numpy as np


def relaxed(u: np.ndarray, rounds: int):
    for _ in range(rounds):
        for i in range(1, len(u)):
            u[i] = 0.5 * (u[i - 1] + u[i])
            for k in range(2):
                u[k] = np.percentile(u, k, method="nothing")
    first = np.piecewise(u, 1, [0])
    return [np.piecewise(u, 1, [0]) for k in range(5)], first
"""


def test_a_finding_says_how_often_it_runs():
    found = port_module(parse("a.py", TEXT), Config()).findings
    told = {(f.code[:3], f.span.line): (f.often, f.weight) for f in found}
    assert told["GP1", 10] == ("1", 1)
    assert told["GP1", 11] == ("5", 5)
    loops = [f for f in found if f.code.startswith("GP2")]
    assert loops
    assert {(f.often, f.weight) for f in loops if f.span.line < 9} == {
        ("2 x len(range(1, len(u))) x rounds", 2_000_000)
    }
