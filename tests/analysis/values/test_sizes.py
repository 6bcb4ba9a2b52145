"""Sizes that are claimed are those that NumPy gives."""

import ast
import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport.analysis.knowledge.tables import knowledge
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.values.sizes import Size, Sizes
from gpuport.source.module import Module


def size(body: str, head: str = "def f(n: int, x):", expression: str = "r") -> Size | None:
    """Size of what a function calls ``r``."""
    inner = textwrap.indent(textwrap.dedent(body), "    ")
    text = f"import numpy as np\n{head}\n{inner}\n    return r\n"
    project = Project(Module("m.py", text, ast.parse(text)), knowledge())
    project.program.analyse()
    unit = next(a.unit for a in project.results.values() if a.unit.name == "f")
    return Sizes(unit).of(ast.parse(expression, mode="eval").body)


@pytest.mark.parametrize(
    ("body", "shape", "dtype"),
    [
        ("r = np.zeros((n, 200))", ("n", 200), "float64"),
        ("r = np.zeros((n, 200)).T", (200, "n"), "float64"),
        ("r = np.linspace(0.0, 1.0, n + 1)", ("n + 1",), "float64"),
        ("k = 300\na = np.arange(k)\nr = a[1:-1] * 2", (298,), "int64"),
        ("r = np.ones((n, 20), np.float32).ravel()", ("n*20",), "float32"),
        ("r = np.concatenate([np.zeros(n), np.ones(3)])", ("n + 3",), "float64"),
        ("r = np.outer(np.arange(n), np.arange(50.0))", ("n", 50), "float64"),
        ("rng = np.random.default_rng(0)\nr = rng.normal(size=(n, n))", ("n", "n"), "float64"),
    ],
)
def test_shapes_follow_lengths(body: str, shape: tuple[object, ...], dtype: str):
    known = size(body)
    assert known is not None
    assert (known.shape, known.dtype) == (shape, dtype)


@pytest.mark.parametrize(
    "body",
    [
        "r = np.loadtxt('a')",
        "r = np.sin(x)",
        "r = np.zeros(n)\nr = np.ones(n)",
        "r = np.zeros(n)[np.arange(n) > 2.0]",
        "for k in range(3):\n    r = np.zeros(k)",
        "r = np.fft.rfft(np.zeros(100))",  # half of a length is not followed
    ],
)
def test_what_cannot_be_told_is_not_told(body: str):
    assert size(body) is None


@settings(deadline=None)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=3), st.sampled_from(["float64", "int32"]))
def test_written_out_sizes_are_exact(shape: list[int], dtype: str):
    text = f"np.zeros({tuple(shape)!r}, np.{dtype})"
    known = size(f"r = {text}")
    real = np.zeros(shape, dtype)
    assert known is not None
    assert (known.shape, known.bytes) == (real.shape, real.nbytes)
