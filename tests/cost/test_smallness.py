"""Which arrays are known to be small: a guess at costs, that errs to the large side."""

from __future__ import annotations

import ast
import textwrap

import pytest

from gpuport.analysis.knowledge.tables import placement_words
from gpuport.config import Config
from gpuport.cost.shapes import Shapes
from gpuport.cost.smallness import few
from gpuport.passes.port import port_module
from gpuport.source.reading import parse


def is_small(body: str, expression: str) -> bool:
    function = ast.parse("def f(a):\n" + textwrap.indent(textwrap.dedent(body), "    ")).body[0]
    words = placement_words().shown_lengths
    return few(Shapes(function, words), ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("x = rng.normal(size=(20, 4))", "x"),
        ("x = rng.normal(size=(20, 4))", "x.T"),
        ("x = rng.normal(size=20)\ny = x * 2 + x", "y"),
        ("n = 5\nx = np.zeros((n, n))", "x"),
        ("x = np.eye(30)", "x"),
        ("x = np.array([[1.0, -2.0], [3.0, 4.0]])", "x"),
        ("for d in [3, 8] * 10:\n    m = rng.random((d, d))", "m"),
        ("sizes = (3, 8)\nfor d in sizes:\n    m = rng.normal(size=(d, d))", "m"),
        ("for d in range(30):\n    m = rng.normal(size=d)", "m"),
        ("xs = [rng.normal(size=(3, 3)) for _ in range(9)]\nfor x in xs:\n    pass", "x"),
    ],
)
def test_lengths_that_are_written_tell(body: str, expression: str) -> None:
    assert is_small(body, expression)


@pytest.mark.parametrize(
    ("body", "expression"),
    [
        ("x = rng.normal(size=(2000, 400))", "x"),
        ("x = np.eye(40)", "x"),
        ("x = rng.normal(size=a)", "x"),
        ("x = np.zeros(3)\nx = a", "x"),
        ("x = np.zeros(3)\nx, y = a", "x"),
        ("x = np.zeros(3)\nfor _ in range(9):\n    x = np.concatenate([x, x])", "x"),
        ("x = np.zeros(3)\nwith open(a) as x:\n    pass", "x"),
        ("for d in [3, 8000]:\n    m = rng.normal(size=d)", "m"),
        ("x = x @ x", "x"),
        ("pass", "a"),
        ("pass", "unknown"),
    ],
)
def test_what_is_not_evident_is_large(body: str, expression: str) -> None:
    assert not is_small(body, expression)


PROGRAM = """
import numpy as np


def factors(matrices):
    return [np.linalg.inv(m) for m in matrices]


def main(path):
    rng = np.random.default_rng(1)
    matrices = []
    for n in range({smallest}, {largest}):
        m = rng.normal(size=(n, n))
        matrices.append(m @ m.T)
    np.savez(path, *factors(matrices))
"""


@pytest.mark.parametrize(("smallest", "largest", "kept"), [(2, 9, True), (900, 1000, False)])
def test_small_products_wait_for_the_transfer_of_all(smallest, largest, kept) -> None:
    text = PROGRAM.format(smallest=smallest, largest=largest)
    after = port_module(parse("module.py", text), Config()).after
    assert after is not None
    assert ("m = cp.asarray(rng.normal(size=(n, n)))" in after) is not kept
