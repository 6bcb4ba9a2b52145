"""Reductions of slices, and functions with loops, inside loops that become kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.loops.records import ArrayFact, FunctionFact, ModuleFact, ScalarFact

WINDOWS = {
    "sum": "x[i:i + w].sum()",
    "mean": "x[i:i + w].mean()",
    "max": "np.max(x[i:i + w])",
    "min": "x[i:w + i].min()",
    "expression": "np.sum((x[i:i + w] - h[0:w]) ** 2)",
    "dot": "np.dot(x[i:i + w], h[1:w + 1])",
    "matrix product": "x[i:i + w] @ h[:w]",
}


@pytest.mark.parametrize("form", WINDOWS)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_windows(run: Any, form: str, dtype: str) -> None:
    source = f"""
        def move(x, h, y, w):
            for i in range(len(x) - w + 1):
                y[i] = {WINDOWS[form]}
        """
    rng = np.random.default_rng(5)
    x = rng.integers(-8, 8, 20).astype(dtype) / 4
    h = rng.integers(-8, 8, 9).astype(dtype) / 4
    both = run(source, x=x, h=h, y=np.zeros(20, dtype), w=4)
    both.same(ulp=1)


@pytest.mark.parametrize("w", [-3, 0, 21])
def test_bounds_that_count_from_the_end_or_are_cut_off_are_turned_away(run: Any, w: int) -> None:
    source = """
        def move(x, y, w):
            for i in range(len(y)):
                y[i] = x[i:i + w].sum()
        """
    with pytest.raises(AssertionError):
        run(source, x=np.ones(20), y=np.zeros(18), w=w)


def test_rows_and_columns(run: Any) -> None:
    source = """
        def product(a, b, c):
            for i in range(a.shape[0]):
                for j in range(b.shape[1]):
                    c[i, j] += np.dot(a[i, :], b[:, j]) - a[i, 1:].max()
        """
    rng = np.random.default_rng(6)
    a, b = (rng.integers(-8, 8, shape) / 4 for shape in ((4, 3), (3, 5)))
    run(source, a=a, b=b, c=np.ones((4, 5))).same()


def test_what_the_loop_writes_is_not_taken_for_what_it_was(refused: Any) -> None:
    source = """
        def smooth(x, w):
            for i in range(w, len(x)):
                x[i] = x[i - w:i].sum()
        """
    assert refused(source, x=ArrayFact("float64", 1), w=ScalarFact("int")).code == "GP202"


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = x[:i].sum()",  # the first one is empty
        "y[i] = x[::2].sum()",
        "y[i] = x[i:i + 2].sum(dtype=np.float32)",
        "y[i] = k[i:i + 2].sum()",  # int32 is summed in int64
        "y[i] = x[k[i]:k[i] + 2].sum()",
    ],
)
def test_what_is_not_understood_is_refused(refused: Any, body: str) -> None:
    source = f"""
        def other(x, k, y):
            for i in range(len(y)):
                {body}
        """
    facts = {name: ArrayFact("float64", 1) for name in "xy"} | {"k": ArrayFact("int32", 1)}
    assert refused(source, **facts).code.startswith("GP20")


@pytest.fixture
def refused() -> Any:
    """The refusal of the first loop of a text."""
    import ast
    import textwrap

    from gpuport.loops.plan import live_after, nests, plan
    from gpuport.loops.records import LoopNest, Refusal

    def make(source: str, **facts: Any) -> Refusal:
        function = ast.parse(textwrap.dedent(source)).body[0]
        assert isinstance(function, ast.FunctionDef)
        node = nests(function)[0]
        known = {"np": ModuleFact("numpy"), **facts}
        found = plan(LoopNest(node, function, known, live_after(function, node)))
        assert isinstance(found, Refusal), found
        return found

    return make


@pytest.mark.parametrize("count", [0, 1, 7])
def test_functions_with_loops(run: Any, count: int) -> None:
    source = """
        def series(v, k):
            t = 0.0
            for j in range(k):
                t = t * v + 1.0
            return t
        def first(v):
            for j in range(9, 0, -2):
                if j < v:
                    return j
            return -1
        def apply(x, y, k):
            for i in range(len(x)):
                y[i] = series(x[i], k) + first(x[i])
        """
    x = np.random.default_rng(7).integers(-9, 9, 15) / 2.0
    run(source, x=x, y=np.zeros(15), k=count).same()


def test_a_function_with_an_else_is_refused(refused: Any) -> None:
    import ast

    inner = ast.parse(
        "def f(v):\n    for j in range(3):\n        v = v + j\n    else:\n        v = 0.0\n"
        "    return v"
    ).body[0]
    assert isinstance(inner, ast.FunctionDef)
    source = """
        def apply(x):
            for i in range(len(x)):
                x[i] = f(x[i])
        """
    facts = {"x": ArrayFact("float64", 1), "f": FunctionFact("f", inner)}
    assert refused(source, **facts).code == "GP203"
