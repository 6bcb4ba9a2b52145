"""Extremes that begin with None: ``if best is None or v < best: best = v``."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

from gpuport.runtime import FallbackError

RNG = np.random.default_rng(23)


def _values(dtype: str, *shape: int) -> np.ndarray:
    x = RNG.integers(0, 9, shape or (30,)).astype(dtype)
    return (x - 4) / np.asarray(2, dtype) if dtype.startswith("f") else x


OF_ALL = {
    "an element": "if best is None or x[i] < best:\n    best = x[i]",
    "the other way round": "if best is None or best < x[i]:\n    best = x[i]",
    "with its place": "if best is None or x[i] > best:\n    best = x[i]\n    w = i",
    "the last of equals": "if best is None or x[i] >= best:\n    best, w = x[i], i",
    "under a name": "v = abs(x[i] - 1)\nif best is None or v < best:\n    best, w = v, i + 2",
    "as a tuple": "if best is None or x[i] <= best:\n    best = x[i]\n    w = (i, x[i])",
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
@pytest.mark.parametrize(
    "head", ["range(len(x))", "range(3, len(x), 2)", "range(len(x) - 1, 0, -1)"]
)
@pytest.mark.parametrize("form", OF_ALL)
def test_of_all(run: Any, form: str, head: str, dtype: str) -> None:
    """The first counts whatever it is, NaN included, after which nothing is less."""
    body = textwrap.indent(OF_ALL[form], "        ")
    source = f"def f(x):\n    best = None\n    w = None\n    for i in {head}:\n{body}\n"
    source += "    return best, w\n"
    x = _values(dtype)
    run(source, x=x).same(signs=False)
    run(source, x=np.zeros_like(x)).same()
    if dtype.startswith("f"):
        for rest in (x, np.full_like(x, np.inf), np.full_like(x, -np.inf)):
            for gaps in ([0, 5], [3], [len(x) - 1], range(len(x))):
                holes = rest.copy()
                holes[gaps] = np.nan
                run(source, x=holes).same(signs=False)


@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_of_a_matrix(run: Any, dtype: str) -> None:
    source = """
        def f(x):
            best, at = None, None
            for i in range(1, x.shape[0]):
                for j in range(x.shape[1] - 1):
                    if best is None or x[i, j] >= best:
                        best = x[i, j]
                        at = (i, j)
            return best, at
        """
    x = _values(dtype, 6, 7)
    run(source, x=x).same()
    if dtype == "float64":
        x[1, 0] = np.nan
        run(source, x=x).same()
    run(source, x=x[:1]).same()  # of no elements the loop itself makes None


OF_EACH = {
    "read after the loop": "y[i] = best",
    "asked after the loop": "y[i] = best if best is not None else -1",
    "asked by an if": "if best is not None:\n    y[i] = best\nelse:\n    y[i] = -2",
    "left out": "if best is None:\n    continue\ny[i] = 1",
    "not read": "y[i] = w",
}
SOME = {"all": "", "some": "if a[i, j] < limit:\n    continue\n"}


@pytest.mark.parametrize("limit", [-9.0, 0.5, 99.0])
@pytest.mark.parametrize("some", SOME)
@pytest.mark.parametrize("after", OF_EACH)
def test_of_each(run: Any, ported: Any, after: str, some: str, limit: float) -> None:
    """A flag tells of each row whether there was one at all."""
    test = "if best is None or a[i, j] < best:\n    best = a[i, j]\n    w = j"
    inner = textwrap.indent(SOME[some] + test, " " * 12)
    rest = textwrap.indent(OF_EACH[after], " " * 8)
    source = (
        "def f(a, y, m, limit):\n    for i in range(len(a)):\n        best = None\n        w = -1\n"
        f"        for j in range(m):\n{inner}\n{rest}\n    return y\n"
    )
    a = _values("float64", 8, 6)
    a[2, 0] = a[3, 4] = a[5, :3] = np.nan
    a[1] = np.inf
    arguments = {"a": a, "y": np.zeros(8), "m": 6, "limit": limit}
    if some == "some" and after == "read after the loop":
        (refusal,) = ported(source, **arguments).refusals[:1]
        assert "`best` may be None where it is read" in refusal.message
        return
    run(source, **arguments).same()
    if after == "read after the loop":
        with pytest.raises(FallbackError, match="m > 0"):
            run(source, **{**arguments, "m": 0})


REFUSED = {
    "of some alone": "if x[i] < 0:\n    continue\nif best is None or x[i] < best:\n    best = x[i]",
    "read besides": "if best is None or x[i] < best:\n    best = x[i]\ny = best",
    "not computed before it": "v = np.sin(x[i])\nif best is None or v < best:\n    best = v",
    "set besides": "if best is None or x[i] < best:\n    best = x[i]\nif x[i] == 3:\n    best = 2",
    "of an array that changes": "if best is None or x[i] < best:\n    best = x[i]\n    x[i] = 0",
    "only asked": "if best is None:\n    best = x[i]",
}


@pytest.mark.parametrize("form", REFUSED)
def test_refused(ported: Any, form: str) -> None:
    body = textwrap.indent(REFUSED[form], "        ")
    source = f"def f(x):\n    best = None\n    y = 0\n    for i in range(len(x)):\n{body}\n"
    found = ported(source + "    return best, y\n", x=_values("float64"))
    assert not found.kernels


def test_none_that_something_else_may_have_replaced(ported: Any) -> None:
    """`best` is not None for certain: a number may have come from another branch."""
    source = """
        def f(x, known):
            best = None
            if known:
                best = 2.0
            for i in range(len(x)):
                if best is None or x[i] < best:
                    best = x[i]
            return best
        """
    assert not ported(source, x=_values("float64"), known=True).kernels


def test_whole_numbers_have_none_for_none(ported: Any) -> None:
    """The reason is the user's None, not a type that the kernel would have put in its place."""
    source = """
        def f(x, out):
            for i in range(len(out)):
                best = None
                for j in range(len(x)):
                    if best is None or x[j] - i < best:
                        best = x[j] - i
                out[i] = best
    """
    found = ported(source, x=np.arange(5), out=np.zeros(4, int))
    assert not found.kernels
    assert any("`best` begins as None in each iteration" in one.message for one in found.refusals)
