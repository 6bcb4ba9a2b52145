"""Numbers that a function gives back as another one gave them to it."""

import ast

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.module import Module

PROGRAM = """\
import numpy as np


def low(x: np.ndarray, share: float):
    _, s, _ = np.linalg.svd(x, full_matrices=False)
    return rank(s, share)


def rank(s: np.ndarray, share: float):
    if share == 0:
        return len(s)
    energy = np.cumsum(s**2 / (s**2).sum())
    return np.searchsorted(energy, share) + 1
"""


def test_what_may_be_a_number_of_pythons_is_handed_on_as_it_is():
    after = port_module(Module("ranks.py", PROGRAM, ast.parse(PROGRAM)), Config()).after
    assert after is not None
    assert "return rank(s, share)" in after
