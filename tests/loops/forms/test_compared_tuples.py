"""Tuples that are compared with tuples: one pair after the other, where that says the same."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.records import Refusal

PORTED = {
    "other than the middle": "(i, j) != (m, 1)",
    "the very one": "(j, i) == (1, m)",
    "an element first": "(a[i], j) == (2, 1)",
    "worked out": "(i - 1, j * 2, -m) != (m, i + j, -1)",
    "beside others": "a[i] > 0 and (i, j) != (0, 0) or i == 2",
}
REFUSED = {
    "an element later on": "(j, a[i + 1]) == (2, 1)",
    "what may raise": "(j, i // m) == (2, 1)",
    "two names that may hold one nan": "(v, j) == (w, 1)",
    "more on one side": "(i, j, m) != (m, 1)",
    "an order": "(i, j) < (m, 1)",
}


def _function(test: str) -> str:
    return (
        "def program(a, out, m, v, w):\n    for i in range(len(a)):\n"
        f"        for j in range(3):\n            if {test}:\n                out[i, j] = a[i]\n"
        "    return m, m\n"
    )


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([0, 1, 2, 7])
    rng = np.random.default_rng(dice.randrange(1000))
    out = rng.integers(3, 9, (n, 3))
    return {"a": rng.integers(-3, 4, n), "out": out, "m": dice.choice([0, 1, 2]), "v": 1, "w": 2}


@pytest.mark.parametrize("test", PORTED.values(), ids=PORTED)
def test_item_by_item(plan_of, same, test: str) -> None:
    plan = plan_of(_function(test))
    assert [axis.variable for axis in plan.grid] == ["i", "j"]
    assert same(_function(test), _inputs)


@pytest.mark.parametrize("test", REFUSED.values(), ids=REFUSED)
def test_left_as_they_are(planned, test: str) -> None:
    from gpuport.loops.kernels.kernel import kernel

    made = (
        one if isinstance(one, Refusal) else kernel(one, frozenset())
        for one in planned(_function(test))
    )
    assert all(isinstance(one, Refusal) for one in made)
