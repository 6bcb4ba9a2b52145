"""Functions that are returned: called on both sides, with inputs of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from gpuport.verify.records import Verdict

KERNEL = """
def make(sigma: float):
    def k(x: np.ndarray):
        return np.exp(-x ** 2 / (2 * sigma ** 2))
    return k
"""
PAIR = """
def make(x: np.ndarray):
    w = x / (1.0 + np.abs(x).sum())

    def forward(v: "NDArray[np.float64]"):
        return w * v
    return forward, lambda v, shift=1.0: (v + shift) / 2 + w
"""
COUNT = """
def make(x: "NDArray[np.float64]"):
    total = np.zeros_like(x)

    def add(y: "NDArray[np.float64]", scale: float = 1.0):
        nonlocal total
        if scale < 0:
            raise ValueError("negative")
        total = total + y * scale
        return total
    return add
"""
BARE = """
class Model:
    def __init__(self, x: np.ndarray):
        self.x = x

    def lazily(self):
        return lambda: self.x * 2.0
"""
HANDED_ON = """
def wrapped(f):
    def run(v: np.ndarray):
        return f(v) + 1.0
    return run

def make(a: "NDArray[np.float64]"):
    scale = np.sum(a)
    both = wrapped(lambda v: v * scale)
    return both
"""
PORTS = {
    "handed on": (
        HANDED_ON, "make", HANDED_ON.replace("np.sum(a)", "np.float64(cp.sum(cp.asarray(a)).get())")
    ),
    "kernel": (
        KERNEL, "make",
        KERNEL.replace("    def", "    @device('x')\n    def").replace("np.exp", "cp.exp"),
    ),
    "pair": (
        PAIR, "make",
        PAIR.replace("x / (1.0 + np.abs(x).sum())", "cp.asnumpy(cp.asarray(x) / (1.0 + cp.abs("
        "cp.asarray(x)).sum()))"),
    ),
    "count": (
        COUNT, "make",
        COUNT.replace("np.zeros_like(x)", "cp.zeros_like(cp.asarray(x))")
        .replace("y * scale", "cp.asarray(y) * scale")
        .replace("return total", "return total.get()"),
    ),
    "bare": (
        BARE, "Model.lazily", BARE.replace("self.x * 2.0", "cp.asnumpy(cp.asarray(self.x) * 2.0)")
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", PORTS)
def test_right_ports_are_equivalent(kind: str, verify: Any) -> None:
    original, function, port = PORTS[kind]
    verdict = verify(original, port)[function]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("kernel", "2 * sigma", "3 * sigma"),
        ("kernel", "sigma ** 2", "sigma"),
        ("kernel", "@device('x')", "@device"),
        ("pair", "w * v", "w * v + 1e-3"),
        ("pair", "shift=1.0", "shift=1.5"),
        ("pair", "(v + shift) / 2", "(v + shift) / 2.5"),
        ("count", "total = total +", "total = 0 * total +"),
        ("count", "y) * scale", "y)"),
        ("count", "if scale < 0", "if scale < -1"),
        ("count", "nonlocal total", "nonlocal total; y += 1"),
        ("handed on", "v * scale", "v * scale * 1.01"),
        ("handed on", "+ 1.0", "+ 1.01"),
        ("bare", "* 2.0", "* 2.5"),
    ],
)
def test_faults_in_what_is_returned_are_found(kind: str, old: str, new: str, verify: Any) -> None:
    original, function, port = PORTS[kind]
    assert old in port
    verdict = verify(original, port.replace(old, new))[function]
    assert verdict.verdict.failing, verdict


@pytest.mark.parametrize(
    "inner",
    [
        "def k(*x):\n        return np.sum(x)",
        "@functools.cache\n    def k(x):\n        return x",
    ],
)
def test_what_it_takes_is_not_known(inner: str, verify: Any) -> None:
    original = f"import functools\ndef make(s: float):\n    {inner}\n    return k\n"
    port = original.replace("return k", "s = float(cp.asarray(s))\n    return k")
    verdict = verify(original, port)["make"]
    assert verdict.verdict is Verdict.UNTESTED, verdict


def test_the_counterexample_calls_it_too(verify: Any, tmp_path: Any) -> None:
    for kind, old, new in (("count", "total +", "0 * total +"), ("pair", ") / 2", ") / 3")):
        original, function, port = PORTS[kind]
        verdict = verify(original, port.replace(old, new))[function]
        command = [sys.executable, "-m", "pytest", "-q", str(verdict.counterexample.test)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stdout
        assert "AssertionError" in done.stdout
        port_file = tmp_path / "new" / "module.py"
        port_file.write_text(port_file.read_text().replace(new, old))
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


def test_recorded_calls_of_what_makes_it(verify: Any, recorded: Callable[..., None]) -> None:
    original, function, port = PORTS["kernel"]
    recorded(function, sigma=2.5)
    verdict = verify(original, port)[function]
    assert verdict.verdict is Verdict.EQUIVALENT, verdict


OTHERWISE = """
def make(x: "NDArray[np.float64]"):
    if x.ndim:
        forward = abs
    else:
        def forward(values):
            return values
    return forward, x * 2
"""


def test_a_name_that_is_bound_otherwise_too_is_not_called(verify: Any) -> None:
    wrong = verify(OTHERWISE, OTHERWISE.replace("x * 2", "x * 3"))["make"]
    assert wrong.verdict is Verdict.DIFFERS, wrong
