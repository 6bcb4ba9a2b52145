"""Extremes found by hand, with their places: the first of equals, or the last of them."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

from gpuport.runtime import FallbackError

RNG = np.random.default_rng(11)
BY_PLACE = {
    "the greatest": "if x[i] > x[w]:\n    w = i",
    "the least": "if x[i] < x[w]:\n    w = i",
    "the other way round": "if x[w] < x[i]:\n    w = i",
    "of an amount": "if abs(x[i]) > abs(x[w]):\n    w = i",
    "of a distance": "if (x[i] - c) * (x[i] - c) < (x[w] - c) * (x[w] - c):\n    w = i",
    "under a name": "v = x[i]\nif v > x[w]:\n    w = i",
    "with a value": "if x[i] > x[w]:\n    w, y = i, x[i - 1]",
    "among some": "if x[i] != c and x[i] > x[w]:\n    w = i",
    "among some, asked later": "if x[i] > x[w] and i != 4:\n    w = i",
}
HEADS = ("range(1, len(x))", "range(len(x))", "range(len(x) - 1, 0, -2)")
PLACES = {
    "two places": "if x[i, j] > best:\n    best = x[i, j]\n    p = i\n    q = j",
    "all at once": "if x[i, j] < best:\n    best, p, q = x[i, j], i, j",
    "by the places": "if x[i, j] > x[p, q]:\n    p, q = i, j",
    "as a tuple": "if x[i, j] > best:\n    best = x[i, j]\n    at = (i, j)",
    "as a list": "if x[i, j] > best:\n    best, at = x[i, j], [i, j + 1]",
    "of a row": "if x[i, j] > best:\n    best = x[i, j]\n    p = i",
    "the last of equals": "if x[i, j] >= best:\n    best, p, q = x[i, j], i, j",
    "the last of equals, by the places": "if x[p, q] >= x[i, j]:\n    p, q = i, j",
    "the last of equals, with a value": "if x[i, j] <= best:\n    best, p = x[i, j], x[j, i]",
    "with a value": "if i != j and x[i, j] > best:\n    best, p, q = x[i, j], j, x[j, i]",
}
SPACES = {
    "all": "for i in range(x.shape[0]):\n    for j in range(x.shape[1]):",
    "a part": "for i in range(1, len(x)):\n    for j in range(0, len(x), 2):",
    "above the diagonal": "for i in range(len(x)):\n    for j in range(i + 1, len(x)):",
    "backwards": "for i in range(len(x) - 1, -1, -1):\n    for j in range(len(x)):",
    "a step between": "for i in range(len(x)):\n    k = len(x) - i\n    for j in range(k):",
}


def _values(dtype: str, *shape: int) -> np.ndarray:
    x = RNG.integers(0, 9, shape or (40,)).astype(dtype)
    return (x - 4) / np.asarray(2, dtype) if dtype.startswith("f") else x


def _function(head: str, body: str, depth: int = 1) -> str:
    inner = textwrap.indent(body, "    " * depth)
    loop = textwrap.indent(f"{head}\n{inner}", "    ")
    return f"    best, p, q, at, w, y = x.ravel()[0], 0, 0, None, 0, 0\n{loop}\n"


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("form", BY_PLACE)
def test_compared_with_the_element_at_the_place(run: Any, form: str, head: str, dtype: str) -> None:
    body = textwrap.indent(BY_PLACE[form], "        ")
    source = f"def f(x, c):\n    w = y = 0\n    for i in {head}:\n{body}\n    return w, y\n"
    if (form, dtype) == ("of a distance", "uint8"):
        pytest.skip("wraps around")
    both = run(source, x=_values(dtype), c=np.dtype(dtype).type(1))
    assert not both.ported.refusals
    both.same()


@pytest.mark.parametrize("dtype", ["float64", "int32"])
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("form", PLACES)
def test_places_in_two_dimensions(run: Any, form: str, space: str, dtype: str) -> None:
    source = (
        "def f(x):\n" + _function(SPACES[space], PLACES[form], 2) + "    return best, p, q, at\n"
    )
    both = run(source, x=_values(dtype, 7, 7))
    assert not both.ported.refusals
    both.same()


LAST = {
    "the last of equals": "if x[i] >= best:\n    best, w = x[i], i",
    "and what stands there": "if best >= x[i]:\n    y = x[i] * 2\n    w = i\n    best = x[i]",
    "by the place": "if x[i] <= x[w]:\n    w = i",
    "now and then": "if x[i] > 1:\n    w = i",
    "now and then, and what stands there": "if x[i] > 1:\n    w, y = i, x[i - 1]",
    "in one of two cases": "if x[i] > 1:\n    w = i\nelif x[i] < 0:\n    w = -i\n    y = x[i]",
    "some left out": "if x[i] < 1:\n    continue\ny = x[i]",
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize("head", ["range(len(x))", "range(1, len(x), 3)", "range(30, 2, -3)"])
@pytest.mark.parametrize("form", LAST)
def test_the_last_of_all(run: Any, form: str, head: str, dtype: str) -> None:
    start = _function(f"for i in {head}:", LAST[form])
    both = run(f"def f(x):\n{start}    return best, w, y, at\n", x=_values(dtype))
    assert not both.ported.refusals
    both.same()


@pytest.mark.parametrize("found", [True, False])
def test_the_last_of_all_in_two_dimensions(run: Any, found: bool) -> None:
    body = f"if x[i, j] > {3 if found else 100}:\n    p, w, y = j - i, j, x[i, j]"
    source = "def f(x):\n" + _function(SPACES["all"], body, 2) + "    return p, w, y\n"
    run(source, x=_values("int64", 6, 5)).same()


STARTS = {"-1": "max", "-np.inf": "max", "np.inf": "min", "999": "min", "k[0]": "max", "0": "max"}


@pytest.mark.parametrize("limit", [-9, 3, 99])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float64"])
@pytest.mark.parametrize("start", STARTS)
def test_begun_beyond_what_the_type_holds(run: Any, start: str, dtype: str, limit: int) -> None:
    """-1 is less than all unsigned numbers: the first of them counts, zero or not, and none is."""
    sign = ">" if STARTS[start] == "max" else "<"
    source = f"""
        def f(x, k, t):
            best = {start}
            y = {start}
            w = -1
            for i in range(len(k)):
                if x[i] > t:
                    if k[i] {sign} best:
                        best = k[i]
                        w = i
                    y = {STARTS[start]}(y, k[i])
            return best, w, y
        """
    low, high = (0, 255) if dtype == "uint8" else (-100, 100)
    for numbers in (np.zeros(30), np.full(30, low), np.full(30, high), RNG.integers(0, 9, 30)):
        run(source, x=RNG.integers(-3, 9, 30), k=numbers.astype(dtype), t=limit).same()


def test_numbers_that_are_none(run: Any) -> None:
    """A NaN is neither more nor less; one that the loop begins with stays."""
    x = _values("float64")
    x[::3] = np.nan
    for first in (np.nan, 1.0):
        x[0] = first
        body = "if v < lo:\n    lo, w = v, i\nif v > x[p]:\n    p = i\nif not v <= y:\n    q = i"
        source = _function("for i, v in enumerate(x):", body).replace("best,", "lo,")
        run(f"def f(x):\n{source}    return lo, w, p, q\n", x=x).same()


@pytest.mark.parametrize("start", ["np.inf", "2.0", "-2.0", "x[0, 0]"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_numbers_that_are_none_beside_the_last_of_equals(run: Any, dtype: str, start: str) -> None:
    """NaN took part where two places were kept and the last of equals counted."""
    source = f"""
        def f(x):
            best, p, q = {start}, -1, -1
            for i in range(x.shape[0]):
                for j in range(x.shape[1]):
                    if x[i, j] <= best:
                        best, p, q = x[i, j], i, j
            return best, p, q
        """
    x = _values(dtype, 6, 5)
    for gaps in (x > 0, x < 2, x < 9):
        run(source, x=np.where(gaps, np.dtype(dtype).type(np.nan), x)).same()


@pytest.mark.parametrize(
    ("low", "high"), [("x[0]", "x[0]"), ("5.0", "-5.0"), ("np.inf", "-np.inf"), ("0.0", "0.0")]
)
def test_either_less_or_more(run: Any, low: str, high: str) -> None:
    """What is less than the least cannot be more than the most, but where these begin crossed."""
    source = f"""
        def f(x):
            lo, hi, w = {low}, {high}, 0
            for i in range(len(x)):
                if x[i] < lo:
                    lo = x[i]
                    w = i
                elif x[i] > hi:
                    hi = x[i]
            return lo, hi, w
        """
    crossed = low not in ("x[0]", "0.0")
    if crossed:
        with pytest.raises(FallbackError, match="lo <= hi"):
            run(source, x=_values("float64"))
    else:
        run(source, x=_values("float64")).same()


def test_names_of_the_function_are_left_alone(run: Any) -> None:
    source = """
        def f(x, best_found, best_at):
            best, w, low, high = x[0], 0, 0, 0
            for i in range(len(x)):
                if x[i] > best:
                    best = x[i]
                    w = i
            for i in range(len(x)):
                low = min(low, x[i])
                high = max(high, x[i])
            return best, w, best_found, best_at, low, high
        """
    run(source, x=_values("int64"), best_found=7, best_at=8).same()


NOT_EXTREMES = {
    "the place is read besides": "if x[i] > x[w]:\n    w = i\ny = w",
    "the place is set besides": "if x[i] > x[w]:\n    w = i\nif x[i] == 3:\n    w = 0",
    "the array is changed": "if x[i] > x[w]:\n    w = i\n    x[i] = 0",
    "another element": "if x[i] > x[w]:\n    w = i + 1",
    "a number that is carried": "if x[i] + y > x[w] + y:\n    w = i\ny = x[i]",
    "inexact on one of both sides": "if np.exp(x[i]) > np.exp(x[w]):\n    w = i",
    "a value of the iteration before": "if v > x[w]:\n    w = i\nv = x[i]",
    "two extremes of one place": "if x[i] > x[w]:\n    w = i\nif -x[i] > -x[w]:\n    w = i",
}


@pytest.mark.parametrize("body", NOT_EXTREMES.values(), ids=NOT_EXTREMES)
def test_stays_a_loop(ported: Any, body: str) -> None:
    inner = textwrap.indent(body, "        ")
    source = f"def f(x, v):\n    w = y = 0\n    for i in range(len(x)):\n{inner}\n    return w, y\n"
    found = ported(source, x=np.zeros(3), v=0.0)
    assert not found.kernels
    assert found.refusals


@pytest.mark.parametrize(
    "body", ["s += x[i, j]", "y[i, j] = 2 * x[i, j]", "if x[i, j] > s:\n    s = x[i, j]"]
)
@pytest.mark.parametrize("inner", ["range(i + 1, len(x))", "range(i)", "range(len(x) - i)"])
def test_a_triangle_of_a_whole_array(run: Any, inner: str, body: str) -> None:
    lines = textwrap.indent(body, " " * 12)
    loop = f"    for i in range(len(x)):\n        for j in {inner}:\n{lines}\n"
    source = f"def f(x, y):\n    s = 0.0\n{loop}    return s, y\n"
    both = run(source, x=RNG.integers(0, 9, (6, 6)) / 2, y=np.zeros((6, 6)))
    assert not both.ported.refusals
    both.same()


ZEROS = {
    "the first": "if x[i] > best:\n    best = x[i]",
    "the last": "if x[i] >= best:\n    best = x[i]",
    "the last least": "if best >= x[i]:\n    best = x[i]",
    "by max": "best = max(best, x[i])",
    "by min": "best = min(best, x[i])",
    "where something is so": "if x[i] > -3:\n    best = max(best, x[i])",
    "two of them": "best = max(best, x[i])\nif x[i] <= low:\n    low = x[i]",
    "a running one": "best = max(best, x[i])\ny[i] = best",
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("first", [0.0, -0.0, np.nan])
@pytest.mark.parametrize("form", ZEROS)
def test_of_zeros_of_two_signs_that_which_the_loop_keeps(
    run: Any, form: str, first: float, dtype: str
) -> None:
    low = -9.0 if "least" not in form and "min" not in form else 9.0
    body = textwrap.indent(ZEROS[form], "        ")
    source = f"def f(x, y, best, low):\n    for i in range(len(x)):\n{body}\n    return best, low\n"
    zeros = [first, -0.0, 0.0, np.nan, -2.0, 0.0] if low < 0 else [first, 0.0, -0.0, 3.0, -0.0]
    x = np.array(zeros, dtype)
    best = x.dtype.type(low)
    run(source, x=x, y=np.zeros_like(x), best=best, low=x.dtype.type(9)).same()


@pytest.mark.parametrize("signs", [(1, -1, 1), (-1, 1, -1), (-1, 1, 1)])
@pytest.mark.parametrize(
    "body",
    [
        "best = max(best, x[i])\n        low = min(low, x[i])",
        "if x[i] >= best: best = x[i]\n        if x[i] <= low: low = x[i]",
    ],
)
def test_two_extremes_that_are_zeros(run: Any, body: str, signs: tuple[int, ...]) -> None:
    source = f"""
def f(x, best, low):
    for i in range(len(x)):
        {body}
    return best, low
"""
    both = run(source, x=np.array(signs) * 0.0, best=np.float64(-9), low=np.float64(9))
    both.same()
    assert not both.ported.refusals
