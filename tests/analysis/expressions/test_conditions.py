"""Comparisons, and what is asked of them."""

from __future__ import annotations

from tests.passes.conftest import port

ALARMS = """\
import numpy as np


def alarms(x, limit):
    s = 0.0
    found = []
    for k, value in enumerate(x):
        s = max(0.0, s + value)
        if s > limit:
            found.append(k)
            s = 0.0
    return np.array(found)


x = np.random.default_rng(5).normal(size=4000)
sd = np.median(np.abs(x)) / 0.6745
print(alarms(x, 4.0 * sd).sum())
"""


def test_a_condition_of_single_numbers_takes_nothing_to_the_device():
    report = port(ALARMS)
    assert '@device("limit"' not in (report.after or "")
    assert not any(one.code == "GP403" and "s > limit" in one.message for one in report.findings)
