"""Loops inside of loops that stay in Python: what of them is planned for each time."""

from __future__ import annotations

import ast

import pytest

from gpuport.loops.context.scalars import live_after, outermost_loops
from gpuport.loops.facts import ArrayFact, LoopNest, ScalarFact
from gpuport.loops.planning.planner import plans, region_plan
from gpuport.loops.records import LoopPlan, Refusal

FACTS = {"x": ArrayFact("float64", 2), "c": ArrayFact("float64", 1), "y": ArrayFact("float64", 1)}
STEPS = """
def f(x, y, c, n):
    s, k = 0.0, 0
    for t in range(n):
        {}
            {}
        y[0] = s + k + c[0]
    return y
"""


def _inner(head: str, body: str) -> tuple[ast.FunctionDef, ast.For, ast.For]:
    function = ast.parse(STEPS.format(head, body)).body[0]
    assert isinstance(function, ast.FunctionDef)
    (outer,) = outermost_loops(function)
    (inner,) = outermost_loops(outer)
    assert isinstance(outer, ast.For)
    assert isinstance(inner, ast.For)
    return function, outer, inner


@pytest.mark.parametrize(
    "body",
    [
        "s += x[t, i]; c[i] = s",
        "s = max(s, y[i]); c[i] += s",
        "c[i] = c[i - 1] + x[t, i]",
    ],
)
def test_running_numbers_of_each_step(body: str) -> None:
    function, outer, inner = _inner("for i in range(1, len(c)):", body)
    facts = {**FACTS, "s": ScalarFact("float"), "k": ScalarFact("int")}
    nest = LoopNest(inner, function, facts, live_after(function, inner))
    plan = region_plan(nest, (outer,))
    assert isinstance(plan, LoopPlan)
    assert plan.scan is not None
    assert plan.outer == (outer,)


def test_what_is_known_before_the_first_step_alone_is_not_used() -> None:
    """The facts are those from before all steps, where ``s`` is 0.0."""
    function, outer, _ = _inner("for i in range(1, len(c)):", "s += x[t, i]; c[i] = s")
    facts = {**FACTS, "s": ScalarFact("float", 0.0), "k": ScalarFact("int", 0)}
    nest = LoopNest(outer, function, facts, live_after(function, outer))
    assert all(isinstance(one, Refusal) for one in plans(nest))


def test_a_launch_for_each_row_would_not_pay() -> None:
    """Two loops over elements around it leave it a part of a row."""
    text = """
def f(x, y, c, n):
    for i in range(n):
        for j in range(n):
            s = 0.0
            for k in range(j):
                s += x[i, k]
                x[j, k] = s
"""
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    (outer,) = outermost_loops(function)
    (middle,) = outermost_loops(outer)
    (inner,) = outermost_loops(middle)
    nest = LoopNest(inner, function, FACTS, live_after(function, inner))
    assert isinstance(region_plan(nest, (outer, middle)), Refusal)
