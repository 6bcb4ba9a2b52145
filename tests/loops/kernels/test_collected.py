"""Lists that a loop fills, and of which an array is made."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.kernels.kernel import kernel
from gpuport.loops.records import Kernel, Refusal

HEADS = {
    "for i in range(n):": "a[i]",
    "for i in range(m, n):": "a[i]",
    "for i in range(1, len(a)):": "a[i] - a[i - 1]",
    "for v in a:": "v * 2",
    "for v in a[::-1]:": "v",
    "for i, v in enumerate(a):": "i * v",
    "for u, v in zip(a, b):": "u - v",
    "for i, (u, v) in enumerate(zip(a, b)):": "u - v * i",
}
BODIES = {
    "alone": "out.append({value})",
    "through a name": "t = {value}\n        out.append(t + 1)",
    "on both ways": "if {value} > 2:\n            out.append({value})\n        else:\n"
    "            out.append(-1)",
    "beside a sum": "s += {value}\n        out.append({value} * 2)",
    "of a sum": "s += {value}\n        out.append(s)",
    "two": "out.append({value})\n        more.append({value} + 1)",
}


def _function(head: str, body: str, after: str = "s = np.array(out).sum() + s") -> str:
    return (
        "def program(a, b, n, m):\n    s = 0\n    more = []\n    out = []\n"
        f"    {head}\n        {body}\n    {after}\n    return s, 0\n"
    )


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([0, 1, 2, 7, 9])
    rng = np.random.default_rng(dice.randrange(1000))
    longer = dice.choice([0, 0, 2])
    return {
        "a": rng.integers(-3, 9, n + longer),
        "b": rng.integers(-3, 9, n),
        "n": n,
        "m": dice.choice([0, 1, 3]),
    }


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_each_item_has_its_place(plan_of, same, head: str, body: str) -> None:
    after = "s = np.array(out).sum() + s"
    if "more" in body:
        after += " + np.asarray(more).sum()"
    text = _function(head, body.format(value=HEADS[head]), after)
    assert any(one.collected for one in plan_of(text).workspaces)
    assert same(text, _inputs)


@pytest.mark.parametrize(
    "made", ["out, more = [], []", "(out, more) = ([], [])", "out: list = []; more = []"]
)
def test_lists_may_be_made_by_one_statement(plan_of, same, made: str) -> None:
    text = _function("for i in range(n):", "out.append(a[i])\n        more.append(i)",
                     "s = np.array(out).sum() + np.array(more).sum()")  # fmt: skip
    text = text.replace("    more = []\n    out = []\n", f"    {made}\n")
    assert all(one.collected for one in plan_of(text).workspaces)
    assert same(text, _inputs)


REFUSED = {
    "several": ("out.append(a[i])\n        out.append(1)", "may run several times"),
    "in a loop": ("for _ in range(i):\n            out.append(a[i])", "may run several times"),
    "leaving": ("out.append(a[i])\n        if a[i] > 3:\n            break", "end the loop"),
    "pairs": ("out.append((a[i], i))", "side effect"),
    "reading it": ("out.append(a[i] + len(out))", "side effect"),
}


@pytest.mark.parametrize(
    "body",
    [
        "if a[i] > 0:\n            out.append(a[i])",
        "if a[i] < 0: continue\n        out.append(a[i])",
    ],
)
def test_what_only_some_iterations_append_is_marked(plan_of, body: str) -> None:
    marks = {one.name: one.kept or one.marks for one in plan_of(
        _function("for i in range(n):", body)).workspaces}  # fmt: skip
    assert marks == {"out": "out_marks", "out_marks": True}


@pytest.mark.parametrize(("body", "reason"), REFUSED.values(), ids=REFUSED)
def test_a_place_for_each_iteration_is_missing(refusal_of, body: str, reason: str) -> None:
    refusal = refusal_of(_function("for i in range(n):", body))
    assert refusal.code == "GP206"
    assert reason in refusal.message


@pytest.mark.parametrize(
    "after",
    [
        "s = len(out) + np.array(out).sum()",
        "s = np.array(out).sum()\n    out.append(1)",
        "s = np.array(out, dtype=int).sum()",
        "s = sum(out)",
        "s = [np.array(out) for _ in range(2)]",
        "pass",
    ],
)
def test_the_list_itself_is_asked_for(refusal_of, after: str) -> None:
    refusal = refusal_of(_function("for i in range(n):", "out.append(a[i])", after))
    assert refusal.code == "GP206"


@pytest.mark.parametrize(
    "before",
    [
        "out = [1]",
        "out = more",
        "out = []\n    more = out",
        "pass",
        "out = []\n    out += b",
        "out = more = []",
        "out, more = [[], []][:2]",
    ],
)
def test_it_is_no_empty_list_before(refusal_of, before: str) -> None:
    text = _function("for i in range(n):", "out.append(a[i])")
    assert refusal_of(text.replace("    out = []\n", f"    {before}\n")).code == "GP206"


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ("a[i]", "float32"),
        ("a[i] * 2.5", "float32"),
        ("float(a[i])", "float64"),
        ("i", "int64"),
        ("a[i] > 0", "bool"),
        ("True", "bool"),
        ("np.int16(3)", "int16"),
        ("a[i] * 1j", "complex64"),
        ("1.5 if a[i] > 0 else -1.5", "float64"),
    ],
)
def test_the_kind_is_what_numpy_makes_of_the_items(plan_of, value: str, dtype: str) -> None:
    plan = plan_of(
        _function("for i in range(n):", f"out.append({value})\n        b[i] = 1"),
        a=ArrayFact("float32", 1), b=ArrayFact("float64", 1),
    )  # fmt: skip
    made = kernel(plan, frozenset())
    assert isinstance(made, Kernel)
    assert made.lists == {"out": dtype}
    a = np.ones(3, np.float32)
    assert np.array([eval(value, {"a": a, "i": i, "np": np}) for i in range(2)]).dtype == dtype


@pytest.mark.parametrize("value", ["0 if a[i] < 0 else a[i]", "a[i] if i > 2 else 1.0"])
def test_which_kinds_there_are_depends_on_data(plan_of, value: str) -> None:
    plan = plan_of(
        _function("for i in range(n):", f"out.append({value})"), a=ArrayFact("float32", 1)
    )
    made = kernel(plan, frozenset())
    assert isinstance(made, Refusal)
    assert made.code == "GP205"
    assert "give it one kind" in made.message


def test_no_items_are_floating_ones(plan_of) -> None:
    """``np.array([])`` is of float64, whatever would have been appended."""
    text = _function("for i in range(n):", "out.append(a[i] > 0)")
    made = kernel(plan_of(text), frozenset())
    assert isinstance(made, Kernel)
    assert any(guard.endswith("> 0") for guard in made.guards)


@pytest.mark.parametrize(
    "after",
    [
        "a = np.asarray(out)\n    b = np.asarray(out)\n    a *= 2.0\n    s = a.sum() + b.sum()",
        "for _ in range(3):\n        b = np.asarray(out)\n        b += 1\n    s = b.sum()",
    ],
)
def test_each_time_an_array_is_made_of_a_list_it_is_a_new_one(refusal_of, after: str) -> None:
    refusal = refusal_of(_function("for i in range(n):", "out.append(a[i])", after))
    assert refusal.code == "GP206"
