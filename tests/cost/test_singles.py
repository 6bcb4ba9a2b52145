"""Single elements, and what is cut out for single cells, are no work for the device."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.knowledge.tables import placement_words
from gpuport.config import Config
from gpuport.cost.fewelements import few_elements
from gpuport.cost.shapes import Shapes
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


def found(body: str) -> set[str]:
    """The expressions of a function that are of a few elements."""
    text = "def f(s, u, h, sites, out, x, n):\n" + textwrap.indent(textwrap.dedent(body), "    ")
    function = ast.parse(text).body[0]
    _, ids = few_elements(function, Shapes(function, placement_words().shown_lengths))
    return {ast.unparse(node) for node in ast.walk(function) if id(node) in ids}


UNPACKED = """
for k in range(n):
    i, j = sites[k]
    a = s[(i + 1) % n, j] + s[i - 1, j]
    e = 2.0 * s[i, j] * (a + h)
    if u[k] < np.exp(-2.0 * h * s[i, j] * e):
        s[i, j] = -s[i, j]
"""


@pytest.mark.parametrize(
    "expression",
    ["(i + 1) % n", "s[i, j]", "2.0 * s[i, j] * (a + h)", "np.exp(-2.0 * h * s[i, j] * e)",
     "u[k] < np.exp(-2.0 * h * s[i, j] * e)",     "-s[i, j]"],
)  # fmt: skip
def test_elements_at_places_that_are_read(expression: str) -> None:
    assert expression in found(UNPACKED)


NEST = "for i, a in enumerate(u):\n    for j in range(n):\n        "


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("out[i, j] = np.sum(x[j:] * x[:n - j])", "np.sum(x[j:] * x[:n - j])"),
        ("y = x[j:] * h\n        out[i, j] = y.sum()", "x[j:] * h"),
    ],
)
def test_what_is_cut_out_for_each_cell(body: str, expression: str) -> None:
    assert expression in found(NEST + body)


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        (NEST + "out[i, j] = np.sum((x - a) ** 2)", "np.sum((x - a) ** 2)"),  # all of it
        (NEST + "out[i] = np.sum(x[j:] * x[:n - j])", "x[j:] * x[:n - j]"),
        (NEST + "out[i, :] = x[j:] * h", "x[j:] * h"),
        ("for k in range(n):\n    y = 2 * x", "2 * x"),
        ("for k in range(n):\n    y = np.roll(x, 1, 0)", "np.roll(x, 1, 0)"),
        ("for k in range(n):\n    y = np.roll(x, k)", "np.roll(x, k)"),
        ("for k in range(n):\n    i, j = sites[k]\n    y = x[i] * 2", "x[i] * 2"),
        ("for k in range(n):\n    i, j = sites[k]\n    i = h\n    y = s[i, j] * 2", "s[i, j] * 2"),
        ("for k in range(n):\n    i, j = sites\n    y = s[i, j] * 2", "s[i, j] * 2"),
        ("for k in range(n):\n    y = s[k, :] * 2", "s[k, :] * 2"),
    ],
)
def test_what_may_be_large_is_not(body: str, expression: str) -> None:
    assert expression not in found(body)


def test_one_flip_after_the_other_stays_on_the_host() -> None:
    """A wait for each flip would be slower than NumPy by far, however large the lattice."""
    text = f"import numpy as np\n\n\ndef f(s, u, h, sites, n):{textwrap.indent(UNPACKED, '    ')}"
    assert port_module(parse("flips.py", text), Config()).after is None
