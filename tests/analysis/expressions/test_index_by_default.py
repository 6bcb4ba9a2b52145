"""An index that is an integer by its default: a call may give a slice in its place."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def f(x: np.ndarray[tuple[int, int], np.dtype[np.float64]], {parameter}):
    a = np.exp(np.sin(x) + np.cos(x))
    {line}b = a[k, 0]
    b += 1.0
    return np.sqrt(a) + np.exp(a), b
"""


@pytest.mark.parametrize(
    ("parameter", "line", "refused"),
    [
        ("k=0", "", True),
        ("k: int = 0", "", False),
        ("k=0", "n = range(k)\n    ", False),
    ],
)
def test_what_it_takes_out_is_open(parameter: str, line: str, refused: bool) -> None:
    text = PROGRAM.format(parameter=parameter, line=line)
    report = port_module(parse("library.py", text), Config())
    assert ("GP901" in {finding.code for finding in report.findings}) == refused
