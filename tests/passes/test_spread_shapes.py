"""Shapes and axes that are spread in a call: ``x.reshape(-1, *x.shape[1:])``."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def fold(x: np.ndarray, *shape):
    order = [0] + [k for k in range(1, x.ndim)]
    y = np.exp(np.sin(x))
    y = y.{call}
    return np.cos(y) * 2
"""


@pytest.mark.parametrize(
    ("call", "ported"),
    [
        ("reshape(-1, 12, *x.shape[1:])", True),
        ("reshape(*x.shape[:2], -1)", True),
        ("reshape(-1, *[1] * (x.ndim - 1))", True),
        ("transpose(*order)", True),
        ("reshape(*order, 3)", True),
        ("reshape(*shape)", False),
        ("take(*order)", False),
    ],
)
def test_what_comes_of_them_is_an_array(call: str, ported: bool):
    after = port(PROGRAM.format(call=call)).after or ""
    assert (f"    y = y.{call}\n    return cp.cos(y) * 2" in after) is ported


STEPPED = """\
import numpy as np


def march(f, y0: np.ndarray, n):
    out = np.empty({shape})
    out[0] = y0
    for k in range(1, n):
        y = out[k - 1]
        out[k] = y + np.exp(f(y)) / 9
    return out


print(march(lambda y: np.sin(y), np.ones((2, 3)), 5).sum())
"""


@pytest.mark.parametrize(
    ("shape", "ported"), [("(n, *y0.shape)", True), ("(n, *y0.shape[1:])", False)]
)
def test_a_display_with_numbers_that_are_spread_is_a_shape(shape: str, ported: bool):
    """Rows of what has two axes at least are arrays; of the other one they may be numbers."""
    after = port(STEPPED.format(shape=shape)).after or ""
    assert (f"    out = cp.empty({shape})" in after) is ported
