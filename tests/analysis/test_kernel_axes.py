"""Kernels are made for arrays with as many axes as they are known to have."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def made(n):
    return np.array([{row}] * n)

def load(n):
    rows = made(n)
    f = np.zeros(8)
    for i, row in enumerate(rows):
        f[row] += i / 3.0
    return f

print(load(4))
"""


def test_rows_are_no_elements() -> None:
    report = port_module(parse("program.py", PROGRAM.format(row="[0, 1, 2]")), Config())
    (told,) = [f for f in report.findings if f.code == "GP205" and f.function == "load"]
    assert "`rows` has 2 axes, and a kernel would be for 1" in told.message
    assert "ElementwiseKernel" not in (report.after or "")


def test_elements_are() -> None:
    report = port_module(parse("program.py", PROGRAM.format(row="3")), Config())
    assert report.after is not None
    assert "ElementwiseKernel" in report.after
