"""Functions of several statements in later parts of a condition: only then are they called."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

TEXT = """\
import numpy as np


def near(p, i, j):
    d = p[i] - p[j]
    d -= round(d)
    return d * d


def contacts(p: np.ndarray, s: np.ndarray, r: float):
    c = np.zeros(len(s), dtype=int)
    for i in range(len(s)):
        for j in range(len(s)):
            {condition}
    return c
"""


@pytest.mark.parametrize(
    "condition",
    [
        "if i != j and near(p, i, j) < r: c[i] += 1",
        "if i != j and s[j] == 1 and r > near(p, i, j): c[i] += 1",
        "if i == j: c[i] += 2\n            elif s[j] > 0 and near(p, i, j) < r: c[i] += 1",
    ],
)
def test_they_are_written_out_in_a_condition_of_their_own(condition: str):
    made = port(TEXT.format(condition=condition)).after or ""
    assert "d = p[i] - p[j];" in made.replace("i_", "i")


@pytest.mark.parametrize(
    "condition",
    [
        "if i != j and near(p, i, j) < r: c[i] += 1\n            else: c[i] += 3",
        "if i != j or near(p, i, j) < r: c[i] += 1",
    ],
)
def test_where_something_else_follows_they_stay(condition: str):
    assert "ernel(" not in (port(TEXT.format(condition=condition)).after or "")
