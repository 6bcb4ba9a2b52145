"""Whole numbers of the module as exponents: CUDA has no power of a float and 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gpuport.runtime import kernel

POWER = 3


@kernel("T x", "T y", "y = pow(x, POWER);")
def cubed(x: Any) -> Any:
    return x**POWER


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_whole_number_of_the_module_is_an_exponent(emulated: Any, dtype: str) -> None:
    x = np.linspace(-2, 2, 9).astype(dtype)
    found = cubed(emulated.asarray(x))
    assert found.dtype == x.dtype
    np.testing.assert_allclose(found.get(), x**3, rtol=1e-6)
