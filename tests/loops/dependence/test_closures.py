"""Paths through one place after the other: Floyd and Warshall's three loops."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import LoopPlan

STEPS = {
    "least sum": "d[i, j] = min(d[i, j], d[i, k] + d[k, j])",
    "turned": "d[i, j] = min(d[i, j], d[k, j] + d[i, k])",
    "compared": "if d[i, k] + d[k, j] < d[i, j]:\n                    d[i, j] = d[i, k] + d[k, j]",
    "through a name": "v = d[i, k] + d[k, j]\n                if d[i, j] > v:\n"
    "                    d[i, j] = v",
    "widest": "d[i, j] = max(d[i, j], min(d[i, k], d[k, j]))",
    "bits": "d[i, j] |= d[i, k] & d[k, j]",
}
OTHERS = {
    "other order": "d[i, j] = min(d[i, k] + d[k, j], d[i, j])",
    "of equals": "if d[i, k] + d[k, j] <= d[i, j]:\n"
    "                    d[i, j] = d[i, k] + d[k, j]",
    "longest": "d[i, j] = max(d[i, j], d[i, k] + d[k, j])",
    "another row": "d[i, j] = min(d[i, j], d[i, k] + d[j, k])",
    "NaN counts": "d[i, j] = np.minimum(d[i, j], d[i, k] + d[k, j])",
    "more": "d[i, j] = min(d[i, j], d[i, k] + d[k, j])\n                d[j, i] = d[i, j]",
    "changing place": "k = min(k, j)\n                d[i, j] = min(d[i, j], d[i, k] + d[k, j])",
    "true": "if d[i, k] and d[k, j]:\n                    d[i, j] = True",
}


def _function(step: str) -> str:
    return (
        "def program(d, n):\n    for k in range(n):\n        for i in range(n):\n"
        f"            for j in range(n):\n                {step}\n    return 0, 0\n"
    )


def _inputs(dice: random.Random) -> dict[str, Any]:
    n = dice.choice([0, 1, 2, 5, 7])
    rng = np.random.default_rng(dice.randrange(1000))
    d = rng.integers(dice.choice([-2, 0, 0]), 9, (n, n))
    if dice.random() < 0.7:
        np.fill_diagonal(d, 0)
    return {"d": d, "n": n}


def _over_both(planned, text: str, **facts: ArrayFact) -> list[LoopPlan]:
    found = planned(text, **facts)
    return [one for one in found if isinstance(one, LoopPlan) and len(one.grid) == 2]


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
def test_both_loops_run_at_once(planned, same, step: str) -> None:
    text = _function(step)
    (plan,) = _over_both(planned, text)
    assert plan.snapshots == {"d"}
    assert same(text, _inputs)


@pytest.mark.parametrize("step", OTHERS.values(), ids=OTHERS)
def test_others_are_tied(planned, same, step: str) -> None:
    text = _function(step)
    assert not _over_both(planned, text)
    same(text, _inputs)


@pytest.mark.parametrize(
    ("dtype", "asked"), [("float32", ">= 0"), ("int64", "== 0"), ("complex128", None)]
)
def test_what_a_path_from_a_place_to_itself_may_be(planned, dtype: str, asked: str | None) -> None:
    plans = _over_both(planned, _function(STEPS["least sum"]), d=ArrayFact(dtype, 2))
    assert len(plans) == (asked is not None)
    assert all(any(guard.endswith(f"{asked}).all()") for guard in p.guards) for p in plans)


def test_there_may_be_no_place(same) -> None:
    """The launch asks of no element where the loops over cells do not run."""
    text = _function(STEPS["least sum"]).replace("for k in range(n)", "for k in range(n + 3)")
    assert same(text, _inputs)


def test_whether_there_is_a_path(planned, same) -> None:
    text = _function(OTHERS["true"])
    assert _over_both(planned, text, d=ArrayFact("bool", 2))
    assert not _over_both(planned, text, d=ArrayFact("int64", 2))
