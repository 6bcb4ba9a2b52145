"""Medians of windows, rows and patches inside loops that become kernels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

RNG = np.random.default_rng(31)
PARTS = {
    "a window": "x[i:i + w]",
    "a window around": "x[max(i - w, 0):i + w + 1]",
    "a patch": "a[i:i + 3, 1:3]",
    "a patch that is cut off": "a[max(i - 1, 0):i + 2, max(i - 2, 0):i + 1]",
    "a row": "a[i]",
    "a column": "a[:, i]",
    "a difference": "x[i:i + w] - x[i]",
}


def _values(dtype: str, *shape: int) -> np.ndarray:
    x = RNG.integers(0, 90, shape)
    return x.astype(dtype) / np.asarray(4, dtype) if dtype.startswith("f") else x.astype(dtype)


def _run(run: Any, part: str, x: np.ndarray, a: np.ndarray, w: int) -> None:
    source = f"""
        def f(x, a, y, w):
            for i in range(6):
                y[i] = np.median({PARTS[part]})
            return y
        """
    y = np.zeros(6, np.float32 if x.dtype == np.float32 else np.float64)
    # Of 0.0 and -0.0 NumPy may give either.
    run(source, x=x, a=a, y=y, w=w).same(signs=False)


@pytest.mark.parametrize("w", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "uint8"])
@pytest.mark.parametrize("part", PARTS)
def test_medians(run: Any, part: str, dtype: str, w: int) -> None:
    if part == "a difference" and dtype in ("int32", "uint8"):
        pytest.skip("operations of narrow numbers are as wide as both operands tell")
    x, a = _values(dtype, 12), _values(dtype, 9, 7)
    _run(run, part, x, a, w)
    _run(run, part, x[::-1], a[::-1, ::-1], w)
    if dtype.startswith("f"):
        for odd in (np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max):
            x[RNG.random(12) < 0.3] = odd
            a[RNG.random((9, 7)) < 0.3] = odd
            _run(run, part, x, a, w)
    else:
        far = np.iinfo(dtype)
        x[RNG.random(12) < 0.4] = far.max
        x[RNG.random(12) < 0.4] = far.min
        _run(run, part, x, a, w)


def test_the_median_of_nothing_is_nan(run: Any) -> None:
    source = """
        def f(x, y, w):
            for i in range(len(y)):
                y[i] = np.median(x[max(i - w, 0):i])
            return y
        """
    for dtype in ("float64", "int32"):
        with pytest.warns(RuntimeWarning):
            both = run(source, x=_values(dtype, 9), y=np.zeros(9), w=3)
        both.same()
        assert np.isnan(both.expected[0])


@pytest.mark.parametrize("dtype", ["bool", "complex128"])
def test_of_what_has_no_order(ported: Any, dtype: str) -> None:
    source = "def f(x, y):\n    for i in range(5):\n        y[i] = np.median(x[i:i + 3])\n"
    assert not ported(source, x=np.ones(9, dtype), y=np.zeros(9, dtype)).kernels
