"""Loops over time around loops over elements: each thread goes through time, where it may."""

from __future__ import annotations

import ast

import pytest

from gpuport.loops.records import Axis, Refusal

TURNED = {
    "elements by themselves": (
        "for t in range(n):\n        for i in range(len(x)):\n            x[i] = x[i] * 0.5 + y[t]",
        [Axis("i", "0", "len(x)", "1")],
        "for t in range(0, n, 1):\n    x[i] = x[i] * 0.5 + y[t]",
    ),
    "columns": (
        "for t in range(1, n):\n        for i in range(n):\n            a[t, i] += a[t - 1, i]",
        [Axis("i", "0", "n", "1")],
        "for t in range(1, n, 1):\n    a[t, i] += a[t - 1, i]",
    ),
    "two loops inside": (
        "for t in range(n):\n        for i in range(n):\n            for j in range(n):\n"
        "                a[i, j] = a[i, j] * y[t] + 1",
        [Axis("i", "0", "n", "1"), Axis("j", "0", "n", "1")],
        "for t in range(0, n, 1):\n    a[i, j] = a[i, j] * y[t] + 1",
    ),
}


@pytest.mark.parametrize(("loop", "grid", "body"), TURNED.values(), ids=TURNED)
def test_turned(plan_of, loop: str, grid: list[Axis], body: str) -> None:
    plan = plan_of(f"def f(x, y, a, n):\n    {loop}\n")
    assert list(plan.grid) == grid
    assert "\n".join(ast.unparse(statement) for statement in plan.body) == body


def test_a_loop_that_a_thread_goes_through_stays_where_it_was(plan_of) -> None:
    """Rounds over a row that is moved by one: no element may move twice before the next one."""
    plan = plan_of(
        "def f(x, d, m):\n    for r in range(3):\n        for i in range(d):\n"
        "            for j in range(m - 1):\n"
        "                x[i * m + j] = x[i * m + j + 1]\n"
    )
    assert list(plan.grid) == [Axis("i", "0", "d", "1")]
    assert "\n".join(ast.unparse(statement) for statement in plan.body) == (
        "for r in range(0, 3, 1):\n    for j in range(0, m - 1, 1):\n"
        "        x[i * m + j] = x[i * m + j + 1]"
    )


KEPT = {
    "neighbours": "x[i] = x[i - 1] + x[i + 1]",
    "old values of the next one": "x[i] = x[i + 1] * 0.5 + x[i]",
    "a number carried along": "x[i] = x[i] + last\n            last = x[i]",
    "left early": "x[i] += 1\n            if x[i] > 3:\n                break",
    "elements that data choose": "x[p[i]] = x[p[i]] * 0.5",
    "a range that grows": None,
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_kept(planned, body: str | None) -> None:
    inner = "range(1, n - 1)" if body else "range(t, n)"
    text = (
        "def f(x, p, n, last):\n    for t in range(n):\n"
        f"        for i in {inner}:\n            {body or 'x[i] = x[i] * 0.5'}\n"
    )
    assert isinstance(planned(text)[0], Refusal)


def test_what_is_read_afterwards_keeps_the_order(planned) -> None:
    text = (
        "def f(x, n):\n    for t in range(n):\n        for i in range(n):\n"
        "            x[i] = x[i] * 0.5\n    return t + i\n"
    )
    assert isinstance(planned(text)[0], Refusal)
