"""Elements of windows and patches at a place of their order, in loops that become kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(37)
PARTS = {
    "a window": ("x[i:i + 3]", 3),
    "a window around": ("x[i - 1:i + 4]", 5),
    "a patch": ("a[i:i + 3, 1:3].ravel()", 6),
    "a patch as a copy": ("a[i:i + 2, 0:2].flatten()", 4),
}


def _values(dtype: str, *shape: int) -> np.ndarray:
    return RNG.integers(0, 9, shape).astype(dtype)


def _source(taken: str) -> str:
    return f"""
        def f(x, a, y):
            for i in range(1, 6):
                y[i] = {taken}
            return y
        """


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize("part", PARTS)
def test_each_place(run: Any, part: str, dtype: str) -> None:
    text, size = PARTS[part]
    x, a = _values(dtype, 12), _values(dtype, 9, 7)
    for at in (0, size - 1, size // 2, -1, -size):
        run(_source(f"np.sort({text})[{at}]"), x=x, a=a, y=np.zeros(6, dtype)).same(signs=False)
    if dtype.startswith("f"):
        for odd in (np.nan, np.inf, -0.0):
            x[RNG.random(12) < 0.4] = odd
            a[RNG.random((9, 7)) < 0.4] = odd
            source = _source(f"np.sort({text})[{size // 2}]")
            run(source, x=x, a=a, y=np.zeros(6, dtype)).same(signs=False)


def test_pythons_order_keeps_that_of_equals(run: Any) -> None:
    x = np.array([0.0, -0.0, 0.0, -0.0, 1.0, -0.0, -1.0, 0.0, 2.0, 0.0])
    run(_source("sorted(x[i:i + 3])[1]"), x=x, a=np.zeros(1), y=np.zeros(6)).same()


def test_nan_has_no_place_in_pythons_order(ported: Any) -> None:
    found = ported(_source("sorted(x[i:i + 3])[1]"), x=np.zeros(9), a=np.zeros(1), y=np.zeros(6))
    (kernel,) = found.kernels
    assert "not (x != x).any()" in kernel.guards


@pytest.mark.parametrize(
    "body",
    [
        "y[i] = sorted(x[i:i + 3] * 2)[1]",  # of what is computed nothing is asked
        "x[i] = sorted(x[i - 1:i + 2])[1]",  # it writes what it sorts
        "y[i] = np.sort(x[i:i + n])[1]",  # how many there are is not written out
        "y[i] = np.sort(x[max(i - 1, 0):i + 2])[1]",  # cut off
        "y[i] = np.sort(x[i:i + 3])[3]",  # there is none
        "y[i] = sorted(x[i:i + 3], reverse=True)[0]",
        "w = np.sort(x[i:i + 3]); x[i] = 0; y[i] = w[1]",
        "w = np.sort(x[i:i + 3]); y[i] = w[i - i]",
    ],
)
def test_others_stay(ported: Any, body: str) -> None:
    source = f"""
        def f(x, y, n):
            for i in range(1, 6):
                {body}
            return y
        """
    found = ported(source, x=np.zeros(9), y=np.zeros(6), n=3)
    assert not found.kernels


def test_a_name_of_the_sorted_window(run: Any) -> None:
    source = """
        def f(x, y):
            for i in range(1, 6):
                w = np.sort(x[i - 1:i + 2])
                y[i] = w[2] - w[0]
            return y
        """
    run(source, x=RNG.normal(size=9), y=np.zeros(6)).same()


COPIES = {
    "a window": ("w = x[i - 1:i + 4].copy()", "w[1] + w[3]"),
    "a patch": ("w = a[i:i + 3, 1:3].flatten()", "w[2] - w[0]"),
}


@pytest.mark.parametrize(("made", "used"), COPIES.values(), ids=COPIES)
def test_a_copy_that_is_sorted_in_place(run: Any, made: str, used: str) -> None:
    source = f"""
        def f(x, a, y):
            for i in range(1, 6):
                {made}
                w.sort()
                y[i] = {used}
            return y, x, a
        """
    x, a = _values("float64", 12), _values("float64", 9, 7)
    x[3] = a[4, 1] = np.nan
    run(source, x=x, a=a, y=np.zeros(6)).same(signs=False)


@pytest.mark.parametrize(
    "made", ["w = x[i - 1:i + 4]", "w = a[i:i + 3].ravel()", "w = x[i:i + 3].copy()\nw[0] = 1.0"]
)
def test_an_array_that_is_sorted_in_place_is_no_copy(ported: Any, made: str) -> None:
    lines = "\n".join(f"                {line}" for line in made.split("\n"))
    source = f"""
        def f(x, a, y):
            for i in range(1, 6):
{lines}
                w.sort()
                y[i] = w[1]
        """
    assert not ported(source, x=np.zeros(12), a=np.zeros((9, 7)), y=np.zeros(6)).kernels
