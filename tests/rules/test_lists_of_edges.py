"""Functions that take a list of arrays at one of their parameters, as CuPy does."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port


@pytest.mark.parametrize(
    "call", ["np.histogram2d(x, y, bins=(e, e))", "np.histogram2d(x, y, [e, e])"]
)
def test_edges_of_the_device_stand_in_a_list(call: str) -> None:
    text = f"""import numpy as np

def density(x: np.ndarray, y: np.ndarray, n):
    e = np.linspace(-2.0, 2.0, 37)
    for _ in range(n):
        x, y = np.sin(x) + 0.5 * np.cos(y), np.sin(y) - 0.5 * np.cos(x)
    return {call}[0]
"""
    after = port(text).after or ""
    assert call.replace("np.", "cp.") in after
    assert "e = cp.linspace" in after
