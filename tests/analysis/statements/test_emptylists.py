"""A loop over a list that is empty in the first trip is read once there is something in it."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """import numpy as np

def run(x, steps):
    old, new = [], []
    for k in range(steps):
        q = np.exp(-x)
        {loop}
            q -= (s @ q) * s
        x = np.sqrt(q * q + 1)
        old.append(x - q)
    return x

if __name__ == "__main__":
    np.save("x.npy", run(np.linspace(0, 1, 1000), 5))
"""


@pytest.mark.parametrize(
    "loop",
    [
        "for s in old:",
        "for s in reversed(old):",
        "for s in list(old):",
        "for j, s in enumerate(old):",
        "for s, t in zip(old, old):",
        "for (s, t), u in zip(zip(old, old), reversed(old)):",
        "for s in old[:]:",
    ],
)
def test_its_items_are_known(loop):
    report = port(PROGRAM.format(loop=loop))
    assert "cp.exp(-x)" in (report.after or ""), [f.message for f in report.findings]
    assert not {f.code for f in report.findings} & {"GP901", "GP902"}


def test_what_stays_empty_is_read_all_the_same():
    report = port(PROGRAM.format(loop="for s in new:"))
    assert "GP901" in {f.code for f in report.findings}
    calls = report.calls
    assert calls.seen == calls.ported + calls.host == 4
