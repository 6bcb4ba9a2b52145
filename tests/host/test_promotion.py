"""Numbers beside arrays: by NEP 50 in CuPy 14, by their value in CuPy 13, as NumPy 1 had it."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

from gpuport import host

OUT_OF_RANGE = "Python integer .* out of bounds"
ROWS = [
    ("f4", "x * np.float64(2)", "f4", "f8"),
    ("f4", "np.float64(2) * x", "f4", "f8"),
    ("f4", "x * np.float64(1e300)", "f8", "f8"),
    ("f4", "x + 0.1", "f4", "f4"),
    ("f4", "x + np.int64(3)", "f4", "f8"),
    ("f4", "x + 1j", "c8", "c8"),
    ("f2", "x + 1000", "f4", "f2"),
    ("f2", "x + 3", "f2", "f2"),
    ("c8", "x * np.float64(0.1)", "c8", "c16"),
    ("i1", "x + 100", "i1", "i1"),
    ("i1", "x + 200", "i2", OUT_OF_RANGE),
    ("u1", "x + 200", "u1", "u1"),
    ("u1", "x + (-1)", "i2", OUT_OF_RANGE),
    ("i1", "x + np.int64(1)", "i1", "i8"),
    ("i1", "x + 1.5", "f8", "f8"),
    ("?", "x + 1", "i8", "i8"),
    ("?", "x & True", "?", "?"),
    ("f4", "cp.where(x > 1, x, np.float64(0))", "f4", "f8"),
    ("i1", "cp.maximum(x, 300)", "i2", OUT_OF_RANGE),
    ("f4", "cp.clip(x, np.float64(0), 2)", "f4", "f8"),
    ("f4", "cp.add(x, cp.float64(1), dtype='f8')", "f8", "f8"),
    ("f4", "x + cp.asarray(1.0)", "f8", "f8"),
]


@pytest.fixture(params=[13, 14])
def versioned(request: pytest.FixtureRequest) -> Any:
    host.uninstall()
    host.install(version=request.param)
    yield request.param, importlib.import_module("cupy")
    host.uninstall()


@pytest.mark.parametrize(("dtype", "text", "old", "new"), ROWS)
def test_types(versioned: Any, dtype: str, text: str, old: str, new: str) -> None:
    version, cp = versioned
    expected = old if version == 13 else new
    names = {"x": cp.arange(3).astype(dtype), "np": np, "cp": cp}
    if expected is OUT_OF_RANGE:
        with pytest.raises(OverflowError, match=expected):
            eval(text, names)
    else:
        assert eval(text, names).dtype == np.dtype(expected)


def test_digits_are_those_of_the_loop(versioned: Any) -> None:
    _, cp = versioned
    x = cp.zeros(2, "f4") + 0.1
    np.testing.assert_array_equal(cp.asnumpy(x), np.full(2, 0.1, "f4"))
    wide = cp.zeros(2) + np.float64(0.1)
    np.testing.assert_array_equal(cp.asnumpy(wide), np.full(2, 0.1))


def test_in_place_keeps_the_type(versioned: Any) -> None:
    version, cp = versioned
    x = cp.arange(3, dtype="i1")
    if version == 13:
        x += 300
        assert x.tolist() == [44, 45, 46]
    else:
        with pytest.raises(OverflowError):
            x += 300
