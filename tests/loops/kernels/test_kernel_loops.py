"""Loops inside of a thread that give a number its type, where they run at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

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
    with pytest.raises(AssertionError, match=r"x\.shape\[1\] > 0"):
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
