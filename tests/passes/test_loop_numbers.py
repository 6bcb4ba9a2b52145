"""Numbers that a loop counts through stay with Python, which goes over them one by one."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """\
import numpy as np


def sweep(theta: np.ndarray, rows: int):
    found = []
    for ecc in {head}:
        h = np.sqrt(1.0 + ecc * np.cos(theta)) + 0.1 * theta
        found.append((ecc, h.sum(), h.max()))
        print(f"{{ecc:.1f}}")
    return np.array(found)
"""


@pytest.mark.parametrize("head", ["np.arange(0.2, 0.85, 0.2)", "np.linspace(0.0, 1.0, rows)"])
def test_a_counter_stays_on_the_host(head: str) -> None:
    report = port(TEXT.format(head=head))
    assert f"for ecc in {head}:" in (report.after or "")
    assert "cp.cos(theta)" in (report.after or "") or "cos(theta)" in (report.after or "")
    assert "`ecc`" not in " ".join(f.message for f in report.findings if f.code == "GP403")


def test_numbers_of_an_array_of_the_device_are_asked_of_that() -> None:
    report = port(TEXT.format(head="np.unique(theta)"))
    assert "cp.unique(theta)" in (report.after or "")
