"""Numbers that some iterations set and the others keep."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.records import Refusal

BODIES = {
    "an element": "if a[i] > 2:\n            last = a[i]\n        out[i] = last",
    "the variable": "if a[i] > 2:\n            last = i\n        out[i] = i - last",
    "a conditional value": "last = a[i] if a[i] > 2 else last\n        out[i] = last",
    "two thresholds": "if a[i] > 3:\n            last = 1\n        elif a[i] < 0:\n"
    "            last = 0\n        out[i] = last",
    "a run": "last = last + 1 if a[i] > 2 else 0\n        out[i] = last",
    "a run that may pause": "if a[i] > 3:\n            last += 2\n        elif a[i] < 0:\n"
    "            last = 1\n        out[i] = last",
    "counted down": "if a[i] > 2:\n            last = 5\n        else:\n            last -= 1\n"
    "        out[i] = last",
    "two at once": "if a[i] > 2:\n            last = a[i]\n            other = i\n"
    "        out[i] = last * other",
    "an extreme of it": "if a[i] > 2:\n            last += 1\n"
    "            other = max(other, last)\n        else:\n            last = 0",
    "through a name": "v = a[i] * 2\n        if v > 3:\n            last = v\n"
    "        out[i] = last",
}
HEADS = (
    "for i in range(n):", "for i in range(1, n):", "for i in range(n - 1, -1, -1):",
    "for i in range(0, n, 2):",
)  # fmt: skip


def _function(body: str, head: str = HEADS[0], begin: str = "0") -> str:
    return (
        f"def program(a, out, n):\n    last = {begin}\n    other = 0\n    {head}\n"
        f"        {body}\n    return last, other\n"
    )


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([0, 1, 2, 7, 9, 20])
    rng = np.random.default_rng(dice.randrange(1000))
    return {"a": rng.integers(-3, 6, n), "out": np.zeros(n, int), "n": n}


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_the_latest_that_was_set_counts(plan_of, same, body: str, head: str) -> None:
    text = _function(body, head)
    assert plan_of(text).latest
    assert same(text, _inputs)


OTHERS = {
    "of itself": "if a[i] > 2:\n            last = last * 2 + 1\n        out[i] = last",
    "asked for": "if last == 0 and a[i] > 2:\n            last = 1\n        elif last == 1 and "
    "a[i] < 0:\n            last = 0\n        out[i] = last",
    "read before": "out[i] = last\n        if a[i] > 2:\n            last = a[i]",
    "after a store": "out[i] = 3\n        if out[i] > 2:\n            last = a[i]\n"
    "        out[i] = last",
    "of a step that data give": "last = last + a[i] if a[i] > 2 else 0\n        out[i] = last",
    "in a loop": "for k in range(2):\n            if a[i] > k:\n                last = a[i]\n"
    "        out[i] = last",
    "what was read first": "if a[i] > 2:\n            other = last\n            last = a[i]\n"
    "        out[i] = last",
}


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_other_numbers_are_carried(refusal_of, body: str) -> None:
    assert refusal_of(_function(body)).code == "GP202"


def test_what_else_to_write_is_said(refusal_of) -> None:
    message = refusal_of(_function(OTHERS["asked for"])).message
    assert "tests of elements alone decide which iterations set `last`" in message


@pytest.mark.parametrize(
    ("begin", "value", "used"),
    [
        ("None", "a[i]", "out[i] = last"),  # no number
        ("0.5", "a[i]", "out[i] = last"),  # float32 does not hold all of Python's
        ("0", "a[i]", "out[i] = last * b[i]"),  # of one type or the other
        ("b[0]", "a[i]", "out[i] = last"),  # nothing is known of it
        ("0", "a[i] if b[i] > 1 else 2.0", "out[i] = last"),
    ],
)
def test_what_it_begins_with_is_of_another_type(plan_of, begin: str, value: str, used: str) -> None:
    body = f"if a[i] > 2:\n            last = {value}\n        {used}"
    text = _function(body, begin=begin).replace("(a, out, n)", "(a, b, out, n)")
    text = text.replace("return last, other", "return other")
    known = {"0": ScalarFact("int", 0), "0.5": ScalarFact("float", 0.5)}
    facts = {"last": known[begin]} if begin in known else {}
    plan = plan_of(
        text, a=ArrayFact("float32", 1), b=ArrayFact("float64", 1), out=ArrayFact("float64", 1),
        **facts,
    )  # fmt: skip
    made = kernel(plan, frozenset())
    assert isinstance(made, Refusal)
    assert made.code == "GP205"
