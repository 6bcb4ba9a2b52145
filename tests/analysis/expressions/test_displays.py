"""Arrays that are made of lists of Python's numbers of several types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpuport.analysis.values.lattice import Array, Unknown


@pytest.mark.parametrize(
    ("made", "dtype", "rank"),
    [
        ("np.array([[1, t], [0, 1]])", "float64", 2),
        ("np.array([[math.cos(t), -math.sin(t), 0], [0, n, 2 * t]])", "float64", 2),
        ("np.asarray([n, t])", "float64", 1),
        ("np.array([True, n, 1])", "int64", 1),
        ("np.array([1j, t, n])", "complex128", 1),
        ("np.array([[1, t], [n, 1]], dtype=np.float32)", "float32", 2),
        ("np.array([[1, t], [n]])", None, None),
        ("np.array([1, t, q()])", None, None),
        ("np.array([1, t, *p])", None, None),
        ("np.array([1, t, 'a'])", None, None),
    ],
)
def test_numbers_of_several_types(
    analyse: Callable[..., Any], made: str, dtype: str | None, rank: int | None
):
    text = f"import math\ndef f(q, p, t: float, n: int):\n    a = {made}\n    return np.sin(a)\n"
    value = analyse(text).unit.env["a"].value
    if dtype is None:
        assert isinstance(value, Unknown)
        return
    assert isinstance(value, Array)
    assert (value.dtype, value.rank) == (dtype, rank)
    given = {"np": np, "math": __import__("math"), "t": 0.3, "n": 4}
    real = eval(made, given)
    assert (real.dtype.name, real.ndim) == (dtype, rank)
