"""Faults behind what the port alone asks, after small calls, and for flags that are numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.verify.conftest import run

from gpuport.verify.records import Verdict, VerifyOptions

WINDOW = """
def f(n: int, kind="hann"):
    k = np.arange(n)
    if kind == "hann":
        return 0.5 - 0.5 * np.cos(2 * np.pi * k / n)
    if kind == "boxcar":
        return np.ones(n)
    raise ValueError(kind)
"""
GRID = """
def f(n: int):
    return np.linspace(0.0, 1.0, n)
"""
MOMENTS = """
class Moments:
    def __init__(self):
        self.n = 0
        self.total = 0.0

    def push(self, x: np.ndarray):
        self.n += x.size
        self.total += float(x.sum())

    def mean(self):
        return self.total / (self.n - 1) if self.n > 1 else math.nan
"""
FLAG = """
def f(a: "Float[np.ndarray, 'n n']", x: "Float[np.ndarray, 'n']", trans=False):
    return a.T @ x if trans else a @ x
"""


@pytest.mark.parametrize(
    ("original", "name", "right", "fault"),
    [
        (WINDOW, "f", ("np.ones(n)", "np.full(n, 1.0)"),
         ("np.full(n, 1.0)", "np.full(n, 1.0 if n != 7 else 0.0)")),
        (GRID, "f", ("np.linspace(0.0, 1.0, n)", "np.linspace(0, 1, n)"),
         ("np.linspace(0, 1, n)", "np.linspace(0, 1, n, endpoint=n < 50)")),
        (MOMENTS, "Moments.mean", ("self.n > 1 else", "self.n >= 2 else"),
         ("self.n >= 2", "self.n > 2")),
        (FLAG, "f", ("if trans else", "if bool(trans) else"), ("bool(trans)", "trans is True")),
    ],
)  # fmt: skip
def test_the_fault_is_found_and_the_port_is_right(
    original: str, name: str, right: tuple[str, str], fault: tuple[str, str], tmp_path: Path
) -> None:
    options = VerifyOptions(root=tmp_path, examples=100)
    port = original.replace(*right)
    held = {f.name: f for f in run(tmp_path, original, port, options).functions()}[name]
    assert held.verdict is Verdict.EQUIVALENT, held
    wrong = port.replace(*fault)
    assert wrong != port
    found = {f.name: f for f in run(tmp_path, original, wrong, options).functions()}[name]
    assert found.verdict.failing, found


def test_what_the_port_alone_asks_must_have_been_both(verify: Any) -> None:
    original = "def f(x: \"Float[np.ndarray, 'n']\"):\n    return x.sum()\n"
    asks = original.replace("x.sum()", "x.sum() if np.median(x) != 0.1234 else 0.0")
    found = verify(original, asks, None)["f"]
    assert found.verdict.failing or "of the port was never false" in found.reason, found


def test_a_condition_before_a_raise_counts_where_the_port_refuses(verify: Any) -> None:
    original = """
    def f(x: "Float[np.ndarray, 'n']", mode="double"):
        if mode == "double":
            return x * 2.0
        if mode == "half":
            return x / 2.0
        raise ValueError(mode)
    """
    found = verify(original, original.replace("x * 2.0", "2.0 * x"))["f"]
    assert found.verdict is Verdict.EQUIVALENT, found
