"""Loops that end at the first hit."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import LoopPlan, Refusal

FACTS = {
    "x": ArrayFact("int64", 1),
    "y": ArrayFact("int64", 1),
    "z": ArrayFact("int64", 2),
    "w": ArrayFact("float64", 1),
}

FOUND = {
    "its place": (
        "    for i in range(n):\n        if x[i] > t:\n            k = i\n            break\n"
    ),
    "its place under the loop's own name": (
        "    i = -1\n    for i in range(n):\n        if x[i] == t:\n            break\n    k = i\n"
    ),
    "a value, and from where": (
        "    for i in range(1, n):\n        d = x[i] - x[i - 1]\n        if d > t:\n"
        "            k = 2 * i + 1\n            v = d * t\n            break\n"
    ),
    "of several conditions": (
        "    for i in range(0, n, 2):\n        if x[i] > t:\n            if y[i] < x[i]:\n"
        "                k = i\n                v = abs(y[i])\n                break\n"
    ),
    "of the elements themselves": (
        "    for i, e in enumerate(x):\n        if e > t:\n            k = i\n            v = e\n"
        "            break\n"
    ),
    "where each iteration looks at a row": (
        "    for i in range(len(z)):\n        s = 0\n        for j in range(z.shape[1]):\n"
        "            s += z[i, j]\n        if s > 3 * t:\n            k = i\n            break\n"
    ),
    "the last of all, backwards": (
        "    for i in range(n - 1, -1, -1):\n        if x[i] > t:\n            k = i\n"
        "            v = x[i] - 1\n            break\n"
    ),
    "backwards, every other one": (
        "    for i in range(n - 1, 0, -2):\n        if x[i - 1] > t:\n            k = i\n"
        "            break\n"
    ),
    "what it sets is not among what it asked": (
        "    for i in range(n):\n        if x[i] > t:\n            v = y[i]\n            break\n"
    ),
    "its place is returned": (
        "    for i in range(n):\n        if x[i] > t:\n            return i, 1\n"
    ),
    "a value of it is returned": (
        "    for i in range(1, n):\n        d = x[i] - x[i - 1]\n        if d > t:\n"
        "            k = 2 * i\n            return k + y[i], d * t\n"
    ),
    "what is returned of the last": (
        "    for i in reversed(range(n)):\n        if x[i] > t:\n            return i, x.shape[0]\n"
    ),
    "with an else": (
        "    for i in range(n - 1):\n        if x[i] > x[i + 1] + t:\n            k = i\n"
        "            v = x[i]\n            break\n    else:\n        k = -1\n        v = t\n"
    ),
    "with an else that sets what the loop does not, its variable, or returns": (
        "    for i in reversed(range(n)):\n        if x[i] > t:\n            break\n    else:\n"
        "        i = -2\n        k = t\n        return k, -1\n    v = i\n"
    ),
    "a flag, with an else": (
        "    for e in x:\n        if e > t:\n            k = True\n            break\n"
        "    else:\n        k = False\n"
    ),
}
FLAGS = {
    "of elements and rows": (
        "    for i in range(n):\n        if x[i] < 0:\n            return -1, -1\n"
        "        for j in range(z.shape[1]):\n            if z[i, j] == t:\n"
        "                return -1, -1\n"
    ),
    "of rows": (
        "    for i in range(len(z)):\n        for j in range(1, z.shape[1]):\n"
        "            if z[i, j] < z[i, j - 1] - t:\n                return False, 0\n"
    ),
    "of elements, at two places": (
        "    for v in x:\n        if v > t + 4:\n            return 5, -1\n"
        "        if v < t - 3:\n            return 5, -1\n"
    ),
    "with an else": (
        "    for e in x:\n        if e > t:\n            return 1, 2\n    else:\n"
        "        k = t\n        return k, 3\n"
    ),
    "beside a sum": (
        "    for i in range(n):\n        k += x[i]\n        if y[i] > t:\n            return -1,\n"
    ),
}
LEFT = {
    "something is stored on the way": (
        "    for i in range(n):\n        y[i] = 1\n        if x[i] > t:\n            k = i\n"
        "            break\n"
    ),
    "a number is carried to the hit": (
        "    for i in range(n):\n        v += x[i]\n        if v > t:\n            k = i\n"
        "            break\n"
    ),
    "a name of each iteration is read after it": (
        "    for i in range(n):\n        v = x[i]\n        if v > t:\n            k = i\n"
        "            break\n"
    ),
    "something else is returned at another place": (
        "    for i in range(n):\n        if x[i] < t:\n            return i, 2\n"
        "        if x[i] > t + 3:\n            return i, 3\n"
    ),
    "what is returned depends on a loop inside": (
        "    for i in range(n):\n        for j in range(3):\n            if z[i, j] == t:\n"
        "                return i, j\n"
    ),
    "something is stored before a constant is returned": (
        "    for i in range(n):\n        y[i] = 1\n        if x[i] > t:\n            return 1, 1\n"
    ),
    "a constant is returned, or the loop left": (
        "    for i in range(n):\n        if x[i] > t:\n            return 1, 1\n"
        "        if y[i] > t:\n            break\n"
    ),
    "a number of an array that holds no integers for certain is a place": (
        "    for e in w:\n        if e > t:\n            k = x[e]\n            break\n"
    ),
    "an else that reads what the loop set": (
        "    for i in range(n):\n        if x[i] > t:\n            k = i\n            break\n"
        "    else:\n        k = i + 1\n"
    ),
    "an else that stores": (
        "    for i in range(n):\n        if x[i] > t:\n            k = i\n            break\n"
        "    else:\n        y[0] = 1\n"
    ),
    "one that waits for something": (
        "    for i in range(n):\n        q = x[i]\n        while q % 7:\n            q = q * 2\n"
        "        if q > t:\n            k = i\n            break\n"
    ),
}


def function(body: str) -> str:
    return f"def program(x, y, z, n, t):\n    k = -7\n    v = -9\n{body}    return k, v\n"


def inputs(dice: random.Random) -> dict[str, Any]:
    """Hits at any place, several of them, or none."""
    rng = np.random.default_rng(dice.randrange(2**32))
    n = dice.choice([0, 1, 2, 5, 8])
    x, y = rng.integers(0, 6, n), rng.integers(0, 6, n)
    return {"x": x, "y": y, "z": rng.integers(0, 6, (n, 3)), "n": n, "t": dice.choice([0, 3, 4, 9])}


@pytest.mark.parametrize("name", FOUND)
def test_the_least_of_all_hits_is_the_first(planned, same, name: str) -> None:
    plan = planned(function(FOUND[name]), **FACTS)[0]
    assert isinstance(plan, LoopPlan), plan
    assert plan.hit is not None
    assert same(function(FOUND[name]), inputs, 30, **FACTS)


@pytest.mark.parametrize("name", FLAGS)
def test_any_hit_will_do_where_all_return_the_same(planned, same, name: str) -> None:
    plan = planned(function(FLAGS[name]), **FACTS)[0]
    assert isinstance(plan, LoopPlan), plan
    assert plan.hit is not None
    assert plan.hit.flag
    assert same(function(FLAGS[name]), inputs, 30, **FACTS)


@pytest.mark.parametrize("name", LEFT)
def test_a_loop_that_does_more_ends_where_it_ends(planned, name: str) -> None:
    first = planned(function(LEFT[name]), **FACTS)[0]
    assert isinstance(first, Refusal)
    assert first.code == "GP204"
