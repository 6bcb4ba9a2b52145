"""Division of complex numbers stays on the host where infinity may divide them, and only there."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """import numpy as np

def solve(f, k):
    {store}
    z = {made}
    return np.abs({divided}).sum()
"""


@pytest.mark.parametrize(
    ("store", "made", "divided", "told"),
    [
        ("k[0] = np.inf", "np.fft.fft(f)", "z / k", True),
        ("k = np.where(k == 0, np.inf, k)", "-1j * f.ravel()", "np.divide(z, k)", True),
        ("np.fill_diagonal(k, float('inf'))", "f.conj().ravel()", "z / k", True),
        ("k[0] = 1", "np.fft.fft(f)", "z / k", False),
        ("k[0] = np.inf", "f.ravel() + k", "z / k", False),
        ("k[0] = np.inf", "np.fft.fft(f)", "z / 3", False),
        ("k[0] = np.inf", "np.fft.fft(f)", "z * (1 / k)", False),
    ],
)
def test_told(store: str, made: str, divided: str, told: bool) -> None:
    module = parse("program.py", PROGRAM.format(store=store, made=made, divided=divided))
    report = port_module(module, Config())
    assert ("GP521" in {finding.code for finding in report.findings}) == told
    assert told or report.after is not None
