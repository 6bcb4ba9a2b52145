"""Stores of one and the same value: whichever iteration is last, the cell holds it."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

TEXT = (
    "def program(p, a, out, m):\n    for i in range(len(p)):\n        for j in range(2):\n"
    "            {}\n    return m, m\n"
)
PORTED = {
    "a literal": "out[p[i]] = 1",
    "a number from before the loop": "out[p[i] + j] = -m",
    "under a condition": "if a[i] > j:\n                out[i + j] = m * 2",
}
REFUSED = {
    "two values": "out[p[i]] = 1\n            out[p[i] + 1] = 2",
    "the loop's variable": "out[p[i]] = i",
    "the inner loop's variable": "out[p[i]] = j",
    "an element": "out[p[i]] = a[0]",
    "a cell that is read": "if out[p[i]] < 1:\n                out[p[i]] = 2",
    "one that is added to": "out[p[i]] = 1\n            out[p[i]] += 1",
    "a number of the iteration": "k = a[i]\n            out[p[i]] = k",
}


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([1, 2, 7, 9])
    rng = np.random.default_rng(dice.randrange(1000))
    return {
        "p": rng.integers(0, n, n),
        "a": rng.integers(-3, 4, n),
        "out": np.zeros(n + 2, int),
        "m": dice.choice([0, 1, 2]),
    }


@pytest.mark.parametrize("body", PORTED.values(), ids=PORTED)
def test_the_order_does_not_matter(planned, same, body: str) -> None:
    (plan,) = planned(TEXT.format(body))
    assert plan.grid[0].variable == "i"
    assert same(TEXT.format(body), _inputs)


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_the_order_matters(planned, body: str) -> None:
    assert planned(TEXT.format(body))[0].code == "GP202"
