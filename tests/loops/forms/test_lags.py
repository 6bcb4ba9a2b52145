"""Names that hold what the iteration before set."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

HEADS = {
    "upwards": "for i in range(len(a)):",
    "from a number on": "for i in range(m, len(a)):",
    "downwards": "for i in range(len(a) - 1, -1, -1):",
    "in steps": "for i in range(1, len(a), 2):",
}
BODIES = {
    "the variable": "out[i] = a[j] - a[i]\n        j = i",
    "the element": "out[i] = a[i] - last\n        last = a[i]",
    "under a name": "v = a[i] + 1\n        out[i] = v - last\n        last = v",
    "two": "out[i] = last * a[i] + j\n        j, last = i, a[i] * 2",
    "in a test": "if last < a[i]:\n            out[i] = i\n        last = a[i]",
    "of what came before that": "out[i] = last - b\n        b = last\n        last = a[i]",
    "three, at once": "out[i] = last + 2 * b - c\n        c, b, last = b, last, a[i] * 2",
    "worked out of that": "out[i] = last\n        last = b + 1\n        b = a[i]",
    "in any order": "out[i] = last + 2 * b - c\n        last, c, b = a[i] * 2, b, last",
    "the variable's": "out[i] = a[j] - b\n        b = j\n        j = i",
    "in a loop": "for k in range(3):\n            out[i] += last * k\n        last = a[i]",
}


def _function(head: str, body: str) -> str:
    return (
        "def program(a, out, m):\n    j = 0\n    b = 5\n    c = -1\n    last = 7\n"
        f"    {head}\n        {body}\n    return j, m\n"
    )


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([0, 1, 2, 7, 9])
    rng = np.random.default_rng(dice.randrange(1000))
    return {
        "a": rng.integers(-3, 4, n),
        "out": np.zeros(n, int),
        "m": dice.choice([0, 1, 2]),
    }


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_what_the_iteration_before_set_is_worked_out(plan_of, same, head: str, body: str) -> None:
    text = _function(head, body)
    assert [axis.variable for axis in plan_of(text).grid] == ["i"]
    assert same(text, _inputs)


REFUSED = {
    "set under a condition": "out[i] = last\n        if a[i] > 0:\n            last = a[i]",
    "not set each time": "if a[i] > 0:\n            continue\n        out[i] = j\n        j = i",
    "of what it writes": "out[i] = last + 1\n        last = out[i]",
    "of what it was": "out[i] = last\n        last = a[i] - last",
    "in a ring": "out[i] = last\n        last, b = b, last",
    "of what it took over": "out[i] = last + b\n        last = a[i]\n        b = last + b",
}


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_other_names_are_carried(refusal_of, body: str) -> None:
    text = _function(HEADS["upwards"], body)
    assert refusal_of(text).code == "GP202"
