"""Floating numbers that are stored in arrays of integers: what does not fit is told."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np
from numpy.typing import NDArray

def stored(f: NDArray[np.float64], u: NDArray[np.{dtype}], v: np.ndarray):
    {body}
    return np.sqrt(f).sum()
"""


@pytest.mark.parametrize("dtype", ["uint8", "uint16", "int8", "int32", "uint64"])
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("u[:] = f", True),
        ("u[1:] = f[1:] - 3", True),
        ("u[:] = np.exp(v)", True),
        ("u[:] = 3", False),
        ("u[:] = u * 2", False),
    ],
)
def test_told(body: str, told: bool, dtype: str) -> None:
    module = parse("program.py", PROGRAM.format(body=body, dtype=dtype))
    codes = {finding.code for finding in port_module(module, Config()).findings}
    assert ("GP506" in codes) == told
