"""Functions of a program with some of their arguments given."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

SOLVER = """from functools import partial
import numpy as np

def rate(t, u, k, source):
    return k * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) + source * np.cos(t)

def midpoint(f, t, u, dt):
    return u + dt * f(t + dt / 2, u + dt / 2 * f(t, u))

def main():
    x = np.linspace(0.0, 6.0, 5000)
    u, source = np.sin(x), np.exp(-x)
    f = partial(rate, k=0.3, source=source)
    for step in range(40):
        u = midpoint(f, 0.1 * step, u, 0.1)
    print(u.sum())

main()
"""


def test_what_holds_arrays_for_a_function_is_followed():
    report = port(SOLVER)
    after = report.after or ""
    assert "partial(rate, k=0.3, source=source)" in after
    assert after.count("cp.asnumpy") + after.count("print(float(") == 1
    assert "cp.asarray" not in after
    assert not {"GP901", "GP902"} & {finding.code for finding in report.findings}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("partial(rate, k=0.3, source=source)", "partial(rate, **{'k': 0.3, 'source': source})"),
        ("    print(u.sum())", "    print(u.sum(), f.keywords['k'])"),
    ],
)
def test_what_is_not_followed_stays_where_it_was(before, after):
    assert before in SOLVER
    report = port(SOLVER.replace(before, after))
    assert "cp.linspace" not in (report.after or "")
    assert {"GP901", "GP902", "GP913"} & {finding.code for finding in report.findings}
