"""Stores in parts of arrays: what they cost, and where."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def f(x: np.ndarray, n: int):
    a = np.zeros({shape})
    for k in range(n):
        a[{place}] = 0.5 * k
    for k in range(n):
        a[k] = np.exp(-a[k]) + np.sin(a[k]) * x.sum()
    return np.sqrt(a)
"""


@pytest.mark.parametrize(
    ("shape", "place", "moved"),
    [
        ("(n, n, n)", "k", True),
        ("(n, n, n)", "k, 0", True),
        ("(n, n)", "k", True),
        ("n", "k", False),
    ],
)
def test_rows_that_a_loop_fills_are_no_single_elements(shape: str, place: str, moved: bool):
    after = port(PROGRAM.format(shape=shape, place=place)).after or ""
    assert (f"a = cp.zeros({shape})" in after) is moved
