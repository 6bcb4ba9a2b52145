"""Arrays that each iteration makes to work in."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import LoopPlan, Refusal

FACTS = {"x": ArrayFact("float64", 2), "p": ArrayFact("int64", 1), "out": ArrayFact("float64", 1)}

PORTED = {
    "filled, read and written at any place": """
        row = np.zeros(m)
        for j in range(m):
            row[p[j] % m] += x[i, j]
        out[i] = row[-1] + row[i % m]
""",
    "a copy of a row, sorted": """
        row = x[i].copy()
        for j in range(1, m):
            v = row[j]
            k = j - 1
            while k >= 0 and row[k] > v:
                row[k + 1] = row[k]
                k -= 1
            row[k + 1] = v
        out[i] = row[m // 2]
""",
    "two that change places": """
        a = np.copy(x[i, :])
        b = np.ones(m)
        for t in range(3):
            for j in range(1, m - 1):
                b[j] = a[j - 1] + a[j + 1]
            a, b = b, a
        out[i] = a.sum() - b[0]
""",
    "one that takes the place of another": """
        prev = np.arange(m + 1)
        for j in range(m):
            cur = np.full(m + 1, 9)
            for k in range(m):
                cur[k + 1] = min(prev[k], prev[k + 1], cur[k]) + p[k]
            prev = cur
        out[i] = prev[m]
""",
    "of two axes": """
        w = np.zeros((2, m))
        for j in range(m):
            w[0, j] = x[i, j]
            w[1, m - 1 - j] = x[i][j] * 2
        out[i] = w[0, 0] - w[1, 0] + len(w)
""",
    "changed as a whole": """
        row = np.zeros(m)
        row[:] = x[i]
        row += 1
        row[1:] = 7
        for v in row:
            out[i] += v
""",
    "made where a condition holds": """
        if p[i] > 1:
            row = np.zeros(m)
        else:
            row = np.ones(m)
        row[0] += 1
        out[i] = row[0] + row[m - 1]
""",
}  # fmt: skip
REFUSED = {
    "it is read after the loop": """
        row = np.zeros(m)
        row[0] = x[i, 0]
    out[0] = row[0]
""",
    "the iteration before made it": """
        if i % 2 == 0:
            row = np.zeros(m)
        row[p[i]] += 1
        out[i] = row[0]
""",
    "two names for one": """
        row = np.zeros(m)
        same = row
        same[p[i]] = 1
        out[i] = row[0]
""",
    "a part of it bears a name": """
        row = np.zeros(m)
        part = row[1:]
        part[p[i]] = 1
        out[i] = row[1]
""",
    "a call that is not followed gives another": """
        row = np.zeros(m)
        for j in range(m):
            row = np.linalg.solve(x, row)
        out[i] = row[0]
""",
    "the name that is taken goes on being used": """
        a = np.zeros(m)
        b = np.ones(m)
        for j in range(m):
            a = b
            b[p[j]] += 1
        out[i] = a[0]
""",
}


def inputs(dice: random.Random) -> dict[str, Any]:
    """Rows of several lengths, none included."""
    rng = np.random.default_rng(dice.randrange(2**32))
    n, m = dice.choice([0, 1, 3, 5]), dice.choice([0, 1, 2, 5])
    x = rng.integers(0, 9, (n, m)).astype(float)
    p = rng.integers(0, max(m, 1), max(n, m))
    return {"x": x, "p": p, "out": np.zeros(max(n, 1)), "n": n, "m": m}


def function(body: str) -> str:
    return f"def program(x, p, out, n, m):\n    for i in range(n):{body}"


@pytest.mark.parametrize("name", PORTED)
def test_each_iteration_gets_a_place_of_its_own(planned, name: str) -> None:
    """The launch makes room, and nothing of it is among what the loop reads and writes."""
    (plan,) = planned(function(PORTED[name]), **FACTS)
    assert isinstance(plan, LoopPlan), plan
    assert plan.workspaces
    assert not {one.name for one in plan.workspaces} & (plan.reads | plan.writes)
    assert not any(one.name in guard for one in plan.workspaces for guard in plan.guards)


@pytest.mark.parametrize("name", REFUSED)
def test_an_array_that_more_is_done_with_is_left(planned, name: str) -> None:
    first, *_ = planned(function(REFUSED[name]), **FACTS)
    assert isinstance(first, Refusal)


@pytest.mark.parametrize("name", PORTED)
def test_results_are_those_of_the_loop(same, name: str) -> None:
    """In any order of the iterations, for rows of any length."""
    assert same(f"{function(PORTED[name])}    return (n,)\n", inputs, **FACTS)


def test_a_length_that_may_be_negative_is_asked_for(planned) -> None:
    """NumPy raises for it where an iteration comes to it; room of that length cannot be made."""
    text = "def f(x, out, n, m):\n    for i in range(n):\n        row = np.zeros(m - 2)\n"
    text += (
        "        for j in range(m - 2):\n            row[j] = x[i, j]\n        out[i] = row[0]\n"
    )
    (plan,) = planned(text, **FACTS)
    assert "m - 2 >= 0" in plan.guards


def test_a_length_that_differs_from_iteration_to_iteration_is_left(planned) -> None:
    text = "def f(x, out, n):\n    for i in range(n):\n        row = np.zeros(i + 1)\n"
    text += (
        "        for j in range(i + 1):\n            row[j] = x[i, j]\n        out[i] = row[0]\n"
    )
    first, *_ = planned(text, **FACTS)
    assert isinstance(first, Refusal)


def stacks(dice: random.Random) -> dict[str, Any]:
    """Systems of equations, of any size and number."""
    rng = np.random.default_rng(dice.randrange(2**32))
    k, n = dice.choice([0, 1, 3]), dice.choice([1, 2, 4])
    a = rng.integers(1, 9, (k, n, n)).astype(float)
    return {"a": a, "b": rng.random((k, n)), "k": k, "n": n}


def test_copies_of_matrices_are_worked_in(same) -> None:
    """How many axes the arrays have is seen from what is done with the copies."""
    text = """
def program(a, b, k, n):
    for s in range(k):
        m = a[s].copy()
        y = b[s].copy()
        for c in range(n):
            for r in range(c + 1, n):
                f = m[r, c] / (m[c, c] + 20)
                for j in range(c, n):
                    m[r, j] -= f * m[c, j]
                y[r] -= f * y[c]
        b[s, 0] = y[n - 1]
    return (n,)
"""
    assert same(text, stacks, a=ArrayFact("float64"), b=ArrayFact("float64"))


def test_a_workspace_that_a_call_takes_as_a_whole_is_told_by_its_name(planned) -> None:
    text = """
def f(x, out, n):
    for i in range(n):
        row = np.zeros(3)
        for k in range(9):
            row[k % 3] += x[i, k]
        out[i] = np.linalg.eigvalsh(row)[0]
"""
    (refused, *_) = planned(text, **FACTS)
    assert isinstance(refused, Refusal)
    assert "[0:3" not in refused.message
