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


GIVEN = """\
import numpy as np


class Net:
    def __init__(self, weights=None):
        self.weights = weights or [(0.5, 2), (0.25, 3)]
        self.x = np.linspace(0.0, 1.0, 100000)

    def step(self):
        for w, n in self.weights:
            self.x = self.x + w * np.sin(self.x) * n


net = Net()
net.step()
print(net.x.sum())
"""


def test_what_is_given_or_something_else_is_never_none():
    assert not any(one.code == "GP901" for one in port(GIVEN).findings)
