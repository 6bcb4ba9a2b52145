"""An element or two of an array that each trip of a loop makes is no work on single elements."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

SPLIT = """\
import numpy as np


def best_split(x: np.ndarray, y: np.ndarray):
    best = (np.inf, None)
    for f in range(x.shape[1]):
        xs = x[np.argsort(x[:, f]), f]
        loss = np.cumsum(y * xs) ** 2 - np.sin(xs)
        {picks}
    return best
"""


@pytest.mark.parametrize(
    ("picks", "ported"),
    [
        (
            "i = loss.argmin()\n        best = (loss[i], xs[i] / 2) if loss[i] < best[0] else best",
            True,
        ),
        (
            "for i in range(len(y)):\n            best = (loss[i], xs[i]) if loss[i] < best[0] "
            "else best",
            False,
        ),
        ("i = f % 3\n        best = (y[i], x[i, f]) if y[i] < best[0] else best", False),
    ],
)
def test_where_whole_arrays_are_made_in_each_trip_elements_are_asked_for(picks: str, ported: bool):
    after = port(SPLIT.format(picks=picks)).after or ""
    assert ("(cp.cumsum(y * xs), xs)" in after) is ported
