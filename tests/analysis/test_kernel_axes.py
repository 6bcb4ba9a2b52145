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
    assert "ernel(" not in (report.after or "")


def test_elements_are() -> None:
    report = port_module(parse("program.py", PROGRAM.format(row="3")), Config())
    assert report.after is not None
    assert "@kernel(" in report.after


def test_a_row_that_is_added_to_asks_for_its_axes_though_nothing_reads_it_afterwards() -> None:
    """``y = f[-1]`` is a row where `f` has two axes, and ``y += ...`` changes `f`."""
    text = (
        "import numpy as np\n\n\ndef f(x: np.ndarray, n):\n    y = x[-1]\n"
        "    for i in range(1, n):\n        y {sign}= {value}\n    return n\n"
    )
    added = port_module(parse("a.py", text.format(sign="+", value="x[i] * 2")), Config())
    set_anew = port_module(parse("a.py", text.format(sign="", value="y + x[i] * 2")), Config())
    assert 'axes={"x": 1}' in (added.after or "")
    assert "axes=" not in (set_anew.after or "")
