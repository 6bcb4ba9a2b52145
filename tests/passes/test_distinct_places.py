"""Stores at places that are all different: what sorts, or looks for what holds, gives such."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
import numpy as np


def store(x: np.ndarray, y: np.ndarray):
    order = {made}
    {before}
    for k in range(1, len(order)):
        {body}
    return y
"""
SORTED = "np.argsort(x)"
STORED = "y[order[k]] = x[k] + y[order[k]]"


@pytest.mark.parametrize(
    ("made", "before", "body"),
    [
        (SORTED, "pass", STORED),
        ("x.argsort(kind='stable')", "pass", "y[order[k - 1]] = k"),
        ("np.flatnonzero(x)", "pass", "y[order[k]] += 1.0"),
        (SORTED, "last = order[-1]", STORED),
    ],
)
def test_they_are_stored_at_once(made: str, before: str, body: str):
    text = PROGRAM.format(made=made, before=before, body=body)
    after = port(text).after or ""
    assert "@kernel(" in after
    assert "atomic" not in after


@pytest.mark.parametrize(
    ("made", "before", "body"),
    [
        (SORTED, "order[0] = 1", STORED),
        (SORTED, "tail = order[1:]; tail[0] = 1", STORED),
        (SORTED, "np.random.shuffle(order)", STORED),
        (SORTED, "order = order // 2", STORED),
        (SORTED, "def spoil(): order[1] = order[0]\n    spoil()", STORED),
        (SORTED, "pass", "y[order[k]] = y[order[k - 1]] + 1"),
        (SORTED, "pass", "y[order[k]] = y[k] + 1"),
        (SORTED, "pass", "y[order[k - 2]] = y[order[k]]"),
        (SORTED, "pass", "y[order[k // 2]] = x[k]"),
        ("np.unique(x)", "pass", STORED),
    ],
)
def test_places_that_may_be_the_same_are_not(made: str, before: str, body: str):
    text = PROGRAM.format(made=made, before=before, body=body)
    assert "ernel(" not in (port(text).after or "")


DIAGONALS = """\
import numpy as np


def band(h: np.ndarray, c: np.ndarray, k: int):
    n = len(h)
    a = np.zeros((n + 1, n + 1))
    i = np.arange(1, n)
    j = np.argsort(c)
    {store}
    return np.exp(np.sin(a)) * np.cos(a)
"""


@pytest.mark.parametrize(
    ("store", "at_once"),
    [
        ("a[i, i] = 2 * h[1:]", True),
        ("a[i, i - 1] = h[:-1]", True),
        ("a[(i + k) % n, i] = h[1:]", True),
        ("a[i, k - 2 * i] += h[1:]", True),
        ("a[i - 1, i + 1] = h[1:]", False),
        ("a[i, j] = h", False),
        ("a[i, i + j] = h", False),
        ("a[c, c] = h", False),
    ],
)
def test_diagonals_hold_each_place_once(store: str, at_once: bool):
    after = port(DIAGONALS.format(store=store)).after or ""
    assert (store in after) is at_once
