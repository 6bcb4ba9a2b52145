"""Names that functions return: moved where they are returned, unless others hold the array too."""

from __future__ import annotations

import textwrap

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """\
import numpy as np
from scipy.optimize import minimize


class Model:
    def __init__(self, n):
        self.x = np.cos(np.arange(float(n * n)).reshape(n, n))
        self.y = np.sin(self.x[0])
        self.last = np.zeros(n)

    def cost(self, w):
        r = self.x @ w - self.y
        return float(np.sum(np.sqrt(np.abs(r)) * np.cos(r) + np.exp(-r * r)))

    def slope(self, w):
        r = self.x @ w - self.y
        g = self.x.T @ (np.sqrt(np.abs(r)) * np.cos(r) + np.exp(-r * r))
        g[1:] += np.sin(r[1:]) * np.exp(-r[1:])
BODY

def run(n):
    model = Model(n)
    return minimize(model.cost, np.zeros(n), jac=model.slope)


print(run(30).x)
"""


def ported(body: str) -> str:
    text = PROGRAM.replace("BODY", textwrap.indent(textwrap.dedent(body), " " * 8))
    return port_module(parse("model.py", text), Config()).after or text


@pytest.mark.parametrize(
    ("body", "moved"),
    [
        ("return g\n", "return cp.asnumpy(g)\n"),
        ("seen = [g.sum()]\nreturn g\n", "return cp.asnumpy(g)\n"),
        ("if r[0] > 1:\n    return g\nreturn g\n", "return cp.asnumpy(g)\n"),
    ],
)
def test_what_ends_with_a_function_is_moved_where_it_is_returned(body: str, moved: str):
    text = ported(body)
    assert moved in text
    assert "g = self.x.T @" in text


@pytest.mark.parametrize(
    "body",
    [
        "self.last = g\nreturn g\n",
        "other = g\nself.last = other\nreturn g\n",
        "part = g[1:]\nself.last = part\nreturn g\n",
        "try:\n    return g\nfinally:\n    g[0] = 0.0\n",
        "g = self.last if r[0] > 1 else g\nreturn g\n",
        "return g, g\n",
        "def later():\n    return g.sum()\n\nself.later = later\nreturn g\n",
    ],
)
def test_what_others_hold_too_is_not(body: str):
    assert "return cp.asnumpy(g)" not in ported(body)
