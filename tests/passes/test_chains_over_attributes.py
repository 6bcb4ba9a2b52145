"""Chains of operations over attributes of instances become kernels, which give the same."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from tests.passes.conftest import port

GRID = """\
import numpy as np


class Grid:
    def __init__(self, n):
        self.u = np.linspace(0.0, 1.0, n)
        self.w = np.linspace(1.0, 2.0, n)
        self.asked = 0

    @property
    def flux(self):
        self.asked += 1
        return self.u * 2.0


class Model:
    def __init__(self, n):
        self.grid = Grid(n)
        self.v = np.linspace(1.0, 2.0, n)
        self.k = 0.25

    def step(self, dt):
        g = self.grid
        {body}


model = Model(50)
for _ in range(3):
    model.step(0.125)
print(model.v.tolist(), model.grid.u.tolist(), model.grid.asked)
"""


def printed(text: str) -> str:
    stream = io.StringIO()
    with contextlib.redirect_stdout(stream):
        exec(compile(text, "program.py", "exec"), {"__name__": "__main__"})
    return stream.getvalue()


@pytest.mark.parametrize(
    ("body", "kernels"),
    [
        ("self.v = self.v + dt * (g.u * self.v - self.k * g.w * self.v)", 1),
        ("self.grid.u += dt * (self.v - self.grid.u * self.grid.w + 1.0)", 1),
        ("self.v[1:-1] = self.v[1:-1] + dt * (self.v[2:] - 2.0 * self.v[1:-1] + self.v[:-2])", 1),
        ("u = self.v; u += dt * (u - g.u * self.v + 2.0 * u)", 0),
        ("old, self.v = self.v, self.v + dt * g.u * self.v - self.v\n        g.u = old * dt", 1),
        ("self.v = g.flux * dt + g.flux * self.v - 3.0 * self.v", 0),
    ],
)
def test_chains_over_attributes_are_kernels(body: str, kernels: int, emulated: Any):
    text = GRID.replace("{body}", body)
    report = port(text)
    assert [f.code for f in report.findings].count("GP211") == kernels
    assert printed(report.after or "") == printed(text)


CALLED = """\
def g(x):
    x[0] = np.cumsum(x)[-1]
    return np.sort(x)


def f(x: NDArray[np.float64]):
    for _ in range(3):
        x = 3.0 * x + g(x) - 2.0 * x
    return x
"""
UNTYPED = """\
def f(x: np.ndarray, k):
    for _ in range(3):
        x = k * x + x * x
    return np.sqrt(x)
"""
FUSED = "def f(x: NDArray[np.float64]):\n    return np.sqrt(x * x + 1.0 - x) * x\n"
FEW = "def f(x: NDArray[np.float64]):\n    return np.sqrt(x * x + 1.0 - x)\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (CALLED, "4 operations on the device are launched one by one: `g(x)` is called between"),
        (UNTYPED, None),
        (FUSED, None),
        (FEW, None),
    ],
)
def test_it_is_told_why_operations_stay_launches_of_their_own(text: str, why: str | None):
    head = "import numpy as np\nfrom numpy.typing import NDArray\n\n\n"
    said = [f.message for f in port(head + text).findings if f.code == "GP212"]
    assert len(said) == (why is not None)
    assert all(why is not None and why in one for one in said)


def test_items_that_cupy_gives_no_names_are_none_of_a_guard():
    text = (
        "import numpy as np\nfrom numpy.typing import NDArray\n\n\n"
        "def f(a: NDArray[np.float64], x: NDArray[np.float64]):\n"
        "    q = np.linalg.eigh(a)\n"
        "    return q.eigenvalues * x + x * x - 2.0 * x\n"
    )
    after = port(text).after or ""
    assert "cp.linalg.eigh(a)" in after
    assert "q.eigenvalues" not in after
