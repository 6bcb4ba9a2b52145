"""What is made of windows around single cells is no work for the device."""

from __future__ import annotations

import ast

import pytest

from gpuport.config import Config
from gpuport.cost.cellwork import cell_work
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

LOOPS = """
def f(x, r, h, w):
    for i in range(h):
        for j in range({columns}):
            top = max(i - r, 0)
            a = {window}
            use(np.median(a.ravel()) * 2)
"""
CELLS = ("x[i - r:i + r + 1, j - r:j + r + 1]", "x[top:min(i + r, h), j]", "x[i, j - 1:j + 2]",
         "x[:, i, j]", "x[i, j, :]", "x[i, 1:-1, j + 1]")  # fmt: skip
OTHERS = (
    "x[i, j]", "x[i]", "x[i * r:(i + 1) * r, j]", "x[i - r:i + r, 0]", "x[i - r:, j]", "x[:, j]",
)  # fmt: skip


def asked(window: str, columns: str) -> bool:
    function = ast.parse(LOOPS.format(window=window, columns=columns)).body[0]
    found = cell_work(function)
    (call,) = [n for n in ast.walk(function) if isinstance(n, ast.Call) and id(n) in found and
               ast.unparse(n.func) == "np.median"] or [None]  # fmt: skip
    return call is not None


@pytest.mark.parametrize("window", CELLS)
def test_windows_around_cells(window: str) -> None:
    assert asked(window, "w")


@pytest.mark.parametrize("window", OTHERS)
def test_parts_that_may_be_large(window: str) -> None:
    assert not asked(window, "w")


def test_a_loop_over_a_few_goes_over_no_cells() -> None:
    assert not asked(CELLS[0], "3")


def test_names_are_asked_once() -> None:
    """Each of these names doubles the ways back to the first one."""
    lines = "".join(f"            a{k + 1} = a{k} * a{k} + a{k}\n" for k in range(200))
    text = "def f(x, n):\n    for i in range(n):\n        for j in range(n):\n"
    text += f"            a0 = x[i - 1:i + 1, j]\n{lines}"
    function = ast.parse(text).body[0]
    assert len(cell_work(function)) > 20


CORNERS = """import numpy as np

def corners(img: np.ndarray, r: int):
    u = np.exp(img) * img
    out = np.zeros(img.shape)
    for i in range(r, img.shape[0] - r):
        for j in range(r, img.shape[1] - r):
            a = u[i - r:i + r + 1, j - r:j + r + 1].ravel()
            m = np.array([[a @ a, a.sum()], [a.sum(), a @ a]])
            out[i, j] = np.linalg.det(m) - 0.04 * np.trace(m) ** 2
    return out
"""


def test_nothing_crosses_for_each_cell() -> None:
    """Windows are items; where they cannot be, the work on a cell stays with its loop."""
    text = port_module(parse("program.py", CORNERS), Config()).after or ""
    assert '@batched.loop(writes="out", axes=2)' in text
    leave = "            if out[i, j] < 0:\n                break\n"
    stopped = CORNERS.replace("    return", f"{leave}    return")
    text = port_module(parse("program.py", stopped), Config()).after or stopped
    assert "cp." not in text.partition("for i in")[2]


TRENDS = """import numpy as np

def trends(data: np.ndarray):
    t = np.arange(data.shape[0]) / 12.0
    slope = np.full(data.shape[1:], np.nan)
    for i in range(data.shape[1]):
        for j in range(data.shape[2]):
            y = data[:, i, j]
            known = ~np.isnan(y)
            if known.sum() < 10:
                continue
            when, what = t[known] - t[known].mean(), y[known]
            slope[i, j] = (when * what).sum() / (when ** 2).sum()
    return slope
"""


def test_lines_through_an_array_stay_with_the_loops() -> None:
    """Some ten launches for each line, and four waits, would be slower than NumPy."""
    report = port_module(parse("trends.py", TRENDS), Config())
    assert report.after is None
