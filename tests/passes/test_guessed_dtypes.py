"""Dtypes that kernels are made for where nothing says what the arrays are."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

SPARSE = """import numpy as np

def product(ends, columns, data, x):
    y = np.zeros(len(ends) - 1)
    for i in range(len(y)):
        acc = 0.0
        for k in range(ends[i], ends[i + 1]):
            acc += data[k] * x[columns[k]]
        y[i] = acc
    return y
"""


def test_ends_of_ranges_are_whole_numbers() -> None:
    """Python takes no floating ones there: a kernel for these would never run."""
    after = port_module(parse("program.py", SPARSE), Config()).after
    assert after is not None
    assert "int64=(ends, columns), float64=(data, x, y)" in after
