"""Arrays of one axis that stand for two or three: an index by its digits."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.records import LoopPlan, Refusal

FACTS = {name: ArrayFact("int64", 1) for name in "xy"} | {n: ScalarFact("int") for n in "abc"}
HEAD = "    for i in range(1, a - 1):\n        for j in range(1, b - 1):\n"
DEEP = HEAD + "            for k in range(1, c - 1):\n"

PARALLEL = {
    "three digits": DEEP
    + "                y[(i * b + j) * c + k] = x[((i - 1) * b + j) * c + k]\n",
    "by strides": DEEP + "                y[i * b * c + j * c + k] = x[k + j * c + i * (b * c)]\n",
    "the last first": DEEP + "                y[k + c * (j + b * i)] = x[i]\n",
    "steps from a name": (
        DEEP + "                z = (i * b + j) * c + k\n"
        "                y[z] = x[z - 1] + x[z + c] - x[z - b * c] + x[z + c * b] - x[z - c + 1]\n"
    ),
    "steps in two dimensions": (
        HEAD + "            z = i * b + j\n            y[z] = x[z - b] + x[z + b] - x[z + 1]\n"
    ),
    "a period of two factors": (
        "    for i in range(a):\n        for j in range(b * c):\n"
        "            y[i * (b * c) + j] = x[i * (b * c) + j] + x[j]\n"
    ),
    "in place": DEEP + "                y[(i * b + j) * c + k] += x[k]\n",
}
INSIDE = {
    "a step to what another iteration writes": (
        DEEP + "                y[(i * b + j) * c + k] = y[((i - 1) * b + j) * c + k]\n"
    ),
    "a digit that is left out": DEEP + "                y[j * c + k] = x[i]\n",
}
CARRIED = {
    "a digit beyond its period": (
        "    for i in range(a):\n        for j in range(b + 1):\n            y[i * b + j] = x[i]\n"
    ),
    "a step that the digits do not show": (
        DEEP + "                z = (i * b + j) * c + k\n                y[z] = y[z - b] + 1\n"
    ),
    "sizes in brackets that are subtracted": (
        DEEP + "                z = (i * b + j) * c + k\n                y[z - (k + c)] = x[i]\n"
    ),
    "digits of two orders": (
        DEEP + "                y[(i * b + j) * c + k] = y[(i * c + k) * b + j]\n"
    ),
}


def function(body: str) -> str:
    return f"def program(x, y, a, b, c):\n{body}    return y\n"


def inputs(dice: random.Random) -> dict[str, Any]:
    """Sizes that fit, and some that do not."""
    a, b, c = (dice.choice([0, 1, 3, 4]) for _ in range(3))
    rng = np.random.default_rng(dice.randrange(2**32))
    length = a * b * c + dice.choice([0, 0, 0, 5, 40, -1])
    return {n: rng.integers(0, 9, max(length, 0)) for n in "xy"} | {"a": a, "b": b, "c": c}


@pytest.mark.parametrize("name", PARALLEL)
def test_digits_tell_elements_apart(planned, same, name: str) -> None:
    plan = planned(function(PARALLEL[name]), **FACTS)[0]
    assert isinstance(plan, LoopPlan), plan
    assert len(plan.grid) == PARALLEL[name].count("for ")
    assert same(function(PARALLEL[name]), inputs, 60, **FACTS)


@pytest.mark.parametrize("name", INSIDE)
def test_iterations_that_meet_in_one_digit_run_in_order(planned, same, name: str) -> None:
    plan = planned(function(INSIDE[name]), **FACTS)[0]
    assert isinstance(plan, LoopPlan), plan
    assert [axis.variable for axis in plan.grid] == ["j", "k"]
    assert same(function(INSIDE[name]), inputs, 60, **FACTS)


@pytest.mark.parametrize("name", CARRIED)
def test_what_is_no_digit_is_refused(planned, same, name: str) -> None:
    first = planned(function(CARRIED[name]), **FACTS)[0]
    assert isinstance(first, Refusal)
    assert first.code == "GP202"
    same(function(CARRIED[name]), inputs, 30, **FACTS)
