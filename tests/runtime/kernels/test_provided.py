"""Functions of CUDA that texts call without writing them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import kernel
from gpuport.runtime.kernels.provided import PROVIDED, provided_in


@pytest.mark.parametrize("name", PROVIDED)
def test_what_a_text_calls_is_found(name: str) -> None:
    assert provided_in(f"y = {name}(x);") == [name]
    assert provided_in(f"y = {name}<unsigned char>(x);") == [name]
    assert provided_in(f"y = my_{name}(x) + s.{name}(x) + {name};") == []


def test_functions_of_the_preamble_come_first() -> None:
    own = "__device__ long long wrap(long long k, long long n) { return checked(k, n, b); }"
    assert provided_in("y = wrap(k, n);", own) == ["checked"]


@kernel(
    "raw float64 x, raw int64 at, int limit",
    "raw float64 out",
    """
    const long long k = to_int_below(x[i] * 2.0, 1000, out_of_range[0]);
    out[i] = x[wrap(at[i], x.shape[0])] + x[checked(k, x.shape[0], out_of_range[0])]
        + fitting<unsigned char>(k, out_of_range[0]) / nonzero(limit, out_of_range[0])
        + to_int(radians_to_degrees(degrees_to_radians(x[i])), out_of_range[0]);
    """,
    over="i in range(len(x))",
    where="at.shape[0] >= x.shape[0] and out.shape[0] >= x.shape[0] and x.size > 0",
)
def _mixed(x, at, limit, out):
    for i in range(len(x)):
        k = int(x[i] * 2.0)
        out[i] = x[at[i]] + x[k] + np.uint8(k) // limit + int(np.degrees(np.radians(x[i])))


@pytest.mark.parametrize("limit", [3, 2])
def test_they_do_what_python_does(emulated: Any, limit: int) -> None:
    x, at = np.array([0.25, 1.0, 1.75, 0.9]), np.array([-1, 0, 2, -4])
    expected = np.zeros(4)
    _mixed.__wrapped__(x, at, limit, expected)
    found = emulated.zeros(4)
    _mixed(emulated.asarray(x), emulated.asarray(at), limit, found)
    np.testing.assert_array_equal(emulated.asnumpy(found), expected)


def test_what_is_out_of_range_is_for_python(emulated: Any) -> None:
    x, at = np.array([0.25, 9.0]), np.array([0, 1])
    with pytest.raises(IndexError):
        _mixed(emulated.asarray(x), emulated.asarray(at), 1, emulated.zeros(2))
