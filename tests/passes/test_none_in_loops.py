"""Names that hold None all through a loop are no numbers that only a run tells."""

from __future__ import annotations

from tests.passes.conftest import port


def test_a_list_of_none_is_made_by_python():
    text = """\
import numpy as np


def collect(e: np.ndarray, n: int):
    y, w = None, 1
    q = []
    for i in range(n):
        w = w + 1 if not np.isnan(e[i]) else 0
        q.append(y)
    return np.array(q), w
"""
    report = port(text)
    assert "ernel(" not in (report.after or "")
    assert any("kernels do not compute with None" in one.message for one in report.findings)
