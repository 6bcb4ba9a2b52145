"""Chains of arrays of which nothing tells the dtype: a kernel for floats, and calls that fit it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

from gpuport.host.counters import count

HEAD = "import math\n\nimport numpy as np\n\n\n"
PRICE = """\
def price(spot: np.ndarray, strike: np.ndarray, t, sigma):
    d1 = (np.log(spot / strike) + 0.5 * sigma**2 * t) / (sigma * np.sqrt(t))
    d2 = d1 - math.sqrt(t) * sigma
    return spot * d1 - strike * np.exp(-t) * d2
"""


def _module(text: str) -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), names)
    return names


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex128", "bool"])
@pytest.mark.parametrize("t", [2, 0.5, np.float32(0.5)])
def test_a_call_of_any_dtype_gives_the_same(emulated: Any, dtype: str, t: float) -> None:
    after = port(HEAD + PRICE).after
    assert after is not None
    assert "_price(spot, strike," in after
    spot = np.linspace(1.0, 9.0, 50).astype(dtype)
    strike = np.linspace(9.0, 1.0, 50).astype(dtype)
    expected = _module(HEAD + PRICE)["price"](spot, strike, t, 0.3)
    found = _module(after)["price"](spot, strike, t, 0.3)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5 if dtype == "float32" else 1e-12)


def test_floats_of_either_precision_are_launched(
    emulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    text = (
        HEAD
        + "def f(x: np.ndarray, y: np.ndarray, k):\n    return (x * y + k * x) / (y + 2.0) - x\n"
    )
    after = port(text).after
    assert after is not None
    f = _module(after)["f"]
    for dtype in ("float64", "float32"):
        x = emulated.linspace(0.0, 1.0, 40, dtype=dtype)
        y = x + 1
        with count() as counted:
            assert f(x, y, 0.5).dtype == dtype
        assert counted.launches == 1


@pytest.mark.parametrize(
    "text",
    [
        "return (x == k) * y + y * y - k * y",
        "return ((x & 3) + y) * y + y * y",
        "return np.where(x, y * y, y + k) * y - k * y",
        "return (x << 2) * 3 + x * x - x",
    ],
)
def test_what_is_likely_no_float_makes_no_kernel(text: str) -> None:
    after = port(f"{HEAD}def f(x: np.ndarray, y: np.ndarray, k):\n    {text}\n").after
    assert after is not None
    assert "kernel" not in after


def test_arrays_of_a_dict_are_called_by_their_keys() -> None:
    text = """\
def f(p: dict[str, np.ndarray], k):
    return p["mass"] * p["vx"] + k * p["mass"] - p["vx"] / k
"""
    after = port(HEAD + text).after
    assert after is not None
    assert "def _f(mass, vx, k):" in after


def test_arrays_that_functions_of_numpy_give_are_in_chains_as_well() -> None:
    text = """\
def flow(u: np.ndarray, eps=1e-8):
    dx, dy = np.diff(u, axis=0, append=u[-1:]), np.diff(u, axis=1, append=u[:, -1:])
    norm = np.sqrt(dx**2 + dy**2 + eps)
    return dx / norm, dy / norm
"""
    after = port(HEAD + text).after
    assert after is not None
    assert "return _flow(dx, dy, eps)" in after
