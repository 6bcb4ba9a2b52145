"""Loops whose iterations count what passes a test, or sum up, and use the number on the way."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

PORTED = {
    "what passes a test": "if a[i] > 0:\n            out[k] = a[i]\n            k += 1",
    "raised before": "if a[i] > 0:\n            k += 1\n            out[k - 1] = a[i]",
    "two sides": (
        "if a[i] > 0:\n            out[k] = a[i]\n            k += 1\n"
        "        else:\n            low[m] = a[i]\n            m += 1"
    ),
    "continue": (
        "if a[i] <= 0:\n            continue\n        out[k] = i\n        low[k] = a[i]\n"
        "        k = k + 1"
    ),
    "loops inside": (
        "for j in range(3):\n            if b[i, j] > 0:\n                out[k] = j\n"
        "                k += 1"
    ),
    "how many came before": "low[i] = k\n        if a[i] > 0:\n            k += 1",
    "a sum before it is raised": "low[i] = s\n        s += a[i]",
    "two sums": "s += a[i]\n        v += b[i, 0]\n        low[i] = s * v",
    "a sum over rows and columns": (
        "for j in range(3):\n            s += b[i, j]\n            c[i, j] = s"
    ),
    "in place": "if a[i] > 0:\n            a[k] = a[i] - 1\n            k += 1",
    "the array's own test": "if out[i] > 0:\n            out[k] = a[i]\n            k += 1",
    "other cells of the array": "if a[i] > 0:\n            out[k] = out[i]\n            k += 1",
    "rows in place": (
        "if c[i, 0] < b[i, 0]:\n            b[k, 0] = b[i, 0]\n            b[k, 1] = b[i, 1]\n"
        "            a[k] = a[i]\n            k += 1"
    ),
    "other numbers": (
        "if a[i] > 0:\n            out[k] = a[i]\n            k += 1\n        s += a[i]"
    ),
}  # fmt: skip


def _function(body: str) -> str:
    return (
        "def program(a, b, c, out, low):\n    k = 0\n    m = 0\n    s = 0\n    v = 0\n"
        f"    for i in range(len(a)):\n        {body}\n    return k, m, s, v\n"
    )


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([1, 2, 7, 9])
    rng = np.random.default_rng(dice.randrange(1000))
    return {
        "a": rng.integers(-3, 4, n),
        "b": rng.integers(-3, 4, (n, 3)),
        "c": np.zeros((n, 3), int),
        "out": np.zeros(3 * n, int),
        "low": np.zeros(n, int),
    }


@pytest.mark.parametrize("body", PORTED.values(), ids=PORTED)
def test_each_iteration_begins_with_what_those_before_it_added(plan_of, same, body: str) -> None:
    text = _function(body)
    plan = plan_of(text)
    assert plan.tallies is not None
    assert [axis.variable for axis in plan.grid] == ["i"]
    assert same(text, _inputs)


REFUSED = {
    "a cell that the next one may write too": (
        "if a[i] > 0:\n            k += 1\n            out[k] = a[i]\n"
        "        else:\n            out[k] += 1"
    ),
    "raised only sometimes": (
        "out[k] = a[i]\n        if a[i] > 0:\n            k += 1"
    ),
    "left before it is raised": (
        "for j in range(3):\n            out[k] = b[i, j]\n            if b[i, j] > 0:\n"
        "                break\n            k += 1"
    ),
    "lowered": "if a[i] > 0:\n            out[k] = a[i]\n            k -= 1",
    "cells of the array that were written": (
        "if a[i] > 0:\n            out[k] = out[i - 1]\n            k += 1"
    ),
    "a cell that was written just now": (
        "if a[i] > 0:\n            a[k] = -a[i]\n            k += 1\n"
        "        if a[i] > 0:\n            m += 1\n        low[i] = m"
    ),
    "as many cells as it has columns": (
        "for j in range(3):\n            if b[i, j] > 0:\n                a[k] = a[i]\n"
        "                k += 1"
    ),
    "every other cell": "if a[i] > 0:\n            a[k] = a[i]\n            k += 2",
    "cells from the end": "if a[i] > 0:\n            a[k] = a[-i]\n            k += 1",
    "what is added to": "if a[i] > 0:\n            a[k] += a[i]\n            k += 1",
    "a test of the number": "if k < 3:\n            out[k] = a[i]\n            k += 1",
    "an amount that depends on the number": "low[i] = k\n        k += k + 1",
    "what depends on a number that is carried": (
        "if a[i] > s:\n            out[k] = a[i]\n            k += 1\n        s = a[i] - s"
    ),
    "the end of the loop": (
        "if a[i] > 0:\n            out[k] = a[i]\n            k += 1\n"
        "        if a[i] < -2:\n            break"
    ),
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_other_loops_stay(planned, body: str) -> None:
    assert all(getattr(one, "tallies", None) is None for one in planned(_function(body)))


@pytest.mark.parametrize("start", ["-1", "d", "a[0]"])
def test_cells_are_apart_where_the_count_begins_at_zero_or_more(planned, start: str) -> None:
    text = _function(PORTED["what passes a test"]).replace("    k = 0\n", f"    k = {start}\n")
    assert all(getattr(one, "tallies", None) is None for one in planned(text))


def test_a_number_told_before_the_loop_counts_too(plan_of, same) -> None:
    text = _function(PORTED["what passes a test"]).replace("    k = 0\n", "    k = 2\n")
    inputs = lambda dice: _inputs(dice) | {"out": np.zeros(30, int)}  # noqa: E731
    assert plan_of(text).tallies is not None
    assert same(text, inputs)


@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("start", [0, 1, 2])
@pytest.mark.parametrize("before", [False, True], ids=["then raised", "raised before"])
@pytest.mark.parametrize("value", ["a[i]", "a[i] - a[i + {beyond}]", "a[i + {beyond}]"])
def test_what_is_packed_in_place_was_not_written_when_it_is_read(
    planned, same, first: int, start: int, before: bool, value: str
) -> None:
    """All distances at which a loop may read: those that are ported give the loop's results."""
    ported = set()
    for beyond in (-2, -1, 0, 1):
        stored = f"a[k] = {value.format(beyond=beyond)}"
        steps = ["k += 1", stored] if before else [stored, "k += 1"]
        text = (
            f"def program(a):\n    k = {start}\n"
            f"    for i in range({first}, len(a) - 2):\n"
            f"        if a[i + {beyond}] > 0 or a[i] < 0:\n"
            f"            {steps[0]}\n            {steps[1]}\n    return k, k\n"
        )
        if any(getattr(one, "tallies", None) is not None for one in planned(text)):
            ported.add(beyond)
            assert same(text, _signed)
    behind = first - start - before
    least = -behind - (behind == 0 and value == "a[i]")
    assert ported == {one for one in (-2, -1, 0, 1) if behind >= 0 and one >= least}


def _signed(dice: random.Random) -> dict[str, Any]:
    rng = np.random.default_rng(dice.randrange(1000))
    return {"a": rng.integers(-2, 3, dice.choice([3, 4, 9, 14]))}
