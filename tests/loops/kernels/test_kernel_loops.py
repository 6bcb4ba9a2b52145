"""Loops inside of a thread that give a number its type, where they run at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import FallbackError

RNG = np.random.default_rng(3)
USES = {
    "a norm": ("0.0", "x[i, j] * x[i, j]", "np.sqrt(s)"),
    "a mean": ("0", "x[i, j]", "s / x.shape[1]"),
    "compared": ("0.1", "x[i, j]", "s if s > 1 else -s"),
    "an extreme": ("1", "x[i, j]", "max(s, 0.5)"),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("start", "term", "use"), USES.values(), ids=USES)
def test_sums_that_take_their_type_from_the_elements(
    run: Any, start: str, term: str, use: str, dtype: str
) -> None:
    source = f"""
        def f(x, y):
            for i in range(len(x)):
                s = {start}
                for j in range(x.shape[1]):
                    s += {term}
                y[i] = {use}
            return y
        """
    both = run(source, x=(RNG.random((7, 5)) - 0.3).astype(dtype), y=np.zeros(7, dtype))
    assert not both.ported.refusals
    both.same()


def test_rows_without_elements_are_left_to_the_loop(run: Any) -> None:
    """``s`` is Python's there: its square root is float64."""
    source = """
        def f(x, y):
            for i in range(len(x)):
                s = 0.1
                for j in range(x.shape[1]):
                    s += x[i, j]
                y[i] = np.sqrt(s) * 3
        """
    with pytest.raises(FallbackError, match=r"x\.shape\[1\] > 0"):
        run(source, x=np.zeros((4, 0), np.float32), y=np.zeros(4))
    run(source, x=np.ones((4, 3), np.float32), y=np.zeros(4)).same()


@pytest.mark.parametrize("bound", ["i", "k[i]", "m"])
def test_ranges_that_a_thread_knows_alone(ported: Any, bound: str) -> None:
    source = f"""
        def f(x, y, k):
            for i in range(len(x)):
                m = i // 2
                s = 0.1
                for j in range({bound}):
                    s += x[i, j]
                y[i] = np.sqrt(s) * 3
        """
    found = ported(source, x=np.ones((4, 9), np.float32), y=np.zeros(4), k=np.ones(4, int))
    assert not found.kernels


@pytest.mark.parametrize(
    "stop", ["n if i > 2 else m", "n & 3", "i ^ 1", "i << 1", "m > 2", "min(n, m)"]
)
def test_a_range_ends_where_its_expression_says(run: Any, stop: str) -> None:
    """``k < i > 2 ? n : m`` would be another condition."""
    source = f"""
        def f(x, y, n, m):
            for i in range(n):
                s = 0.0
                for k in range(0, {stop}):
                    s += x[k] * (k + 1)
                y[i] = s
            return y
        """
    both = run(source, x=np.arange(20.0), y=np.zeros(6), n=6, m=3)
    assert not both.ported.refusals
    both.same()


PARTS = {
    "a window": ("max(0, i - m)", "i + m + 1"),
    "from the end": ("i - 3", "i - 1"),
    "beyond the ends": ("i - 30", "i + 30"),
    "of a stride": ("i * m", "i * m + n"),
    "to places of an array": ("i", "p[i]"),
    "the rest": ("i + 1", ""),
    "the first": ("", "-i"),
}


@pytest.mark.parametrize("head", ["v in", "j, v in enumerate"])
@pytest.mark.parametrize(("low", "high"), PARTS.values(), ids=PARTS)
def test_parts_that_a_loop_goes_over_are_cut_off_as_slices_are(
    run: Any, low: str, high: str, head: str
) -> None:
    over = f"x[{low}:{high}]"
    over = f"({over})" if "enumerate" in head else over
    source = f"""
        def f(x, y, p, n, m):
            for i in range(n):
                j = 1
                s = 0.0
                for {head} {over}:
                    if v > 5.5:
                        break
                    s = s * 0.5 + v * j
                y[i] = s
            return y
        """
    places = np.array([3, -2, 0, -30, 8, 30])
    both = run(source, x=RNG.random(9) * 6, y=np.zeros(6), p=places, n=6, m=2)
    assert not both.ported.refusals
    assert "out_of_range" not in both.ported.text
    both.same()


ROWS = {
    "enumerated": ("i, r in enumerate(x)", "y[i] = r.max() - np.sum(r * 2)"),
    "beside elements": ("i, (r, v) in enumerate(zip(x, y))", "z[i] = np.dot(r, r) * v"),
    "two arrays": ("i, (r, q) in enumerate(zip(x, z2))", "y[i] = np.sum(r * q)"),
    "changed in place": ("r in x", "r -= r.mean()\\nr /= np.sqrt(np.sum(r * r))"),
    "with elements": ("i, r in enumerate(x)", "y[i] = np.sum(r) + r[0]\\nr[1] = y[i]"),
    "worked on": ("i, r in enumerate(x)", "t = (r - r.min()) / 2\\ny[i] = t.max() + t[0]"),
}


@pytest.mark.parametrize(("head", "body"), ROWS.values(), ids=ROWS)
def test_rows_that_a_loop_uses_as_a_whole(run: Any, head: str, body: str) -> None:
    lines = "\n".join(f"                {line}" for line in body.split("\\n"))
    source = f"""
        def f(x, y, z, z2):
            for {head}:
{lines}
            return y
        """
    both = run(source, x=RNG.random((6, 4)), y=RNG.random(6), z=np.zeros(6), z2=RNG.random((5, 4)))
    assert not both.ported.refusals
    both.same(ulp=8)


@pytest.mark.parametrize(
    "body", ["r = r * 2\ny[i] = r.max()", "x = y\ny[i] = r.max()", "t = r\ny[i] = t.max()"]
)
def test_names_of_rows_that_become_something_else_stay(ported: Any, body: str) -> None:
    lines = "\n".join(f"                {line}" for line in body.split("\n"))
    source = f"def f(x, y):\n    for i, r in enumerate(x):\n{lines}\n"
    assert not ported(source, x=RNG.random((6, 4)), y=np.zeros(6)).kernels
