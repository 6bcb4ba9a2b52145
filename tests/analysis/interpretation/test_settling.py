"""What is kept of an array that changes is harmless where it is read before that alone."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

class Gas:
    def __init__(self, shape):
        self.u = np.ones(len(shape) * (3,))

    def work(self, f=None):
        {body}

    def grow(self):
        self.u += 0.25 * np.sin(self.u)

gas = Gas((4, 5))
for _ in range(100):
    gas.grow()
gas.work()
np.save("u.npy", gas.u)
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("h = self.u[0]; return np.sqrt(h) + h / 2", False),
        ("h, a, b = self.u; return float(np.sum(a + b * h))", False),
        ("h = self.u[0]\n        self.u[1] = self.u[1] - np.exp(h)", False),
        ("h = self.u[0]\n        self.grow()\n        return h + 1", True),
        ("h = self.u[0]\n        self.u *= h", True),
        ("h = self.u[0]\n        self.u[1] = h", True),
        ("h = self.u[0]\n        return h", True),
        ("h = self.u[0]\n        return (np.sin(k) for k in (h + 1, h))", True),
        ("h = self.u[0]\n        f(); return h + 1", True),
        ("h = self.u[0]; self.u[1] = h + 1; return np.exp(h)", True),
        ("for k in range(3):\n            h = self.u[k]\n            for j in range(3):\n"
         "                self.u[j] = h + j", True),
    ],
)  # fmt: skip
def test_told(body: str, told: bool) -> None:
    report = port_module(parse("program.py", PROGRAM.format(body=body)), Config())
    refused = {finding.code for finding in report.findings}
    assert bool(refused & {"GP907", "GP902", "GP909"}) == told
    assert told or (report.after is not None and "self.u = cp.ones" in report.after)
