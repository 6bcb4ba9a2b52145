"""Which loops of a nest run at once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.loops.facts import ArrayFact, ScalarFact
from gpuport.loops.records import LoopPlan

FACTS = {name: ArrayFact("float64", 2) for name in ("x", "y")}

BORDERS = {
    "read around": "y[i, j] = x[i - r, j] + x[i, j + r]",
    "a sum around": "y[i, j] = x[i - r:i + r + 1, j - r:j + r + 1].sum()",
    "in place": "y[i, j] = y[i, j] * 2.0 + x[i, j]",
}


def planned(plan_of: Callable[..., LoopPlan], body: str, first: str = "r") -> LoopPlan:
    text = f"""
def f(x, y, r):
    for i in range({first}, x.shape[0] - r):
        for j in range({first}, x.shape[1] - r):
            {body}
"""
    return plan_of(text, **FACTS, r=ScalarFact("int"))


@pytest.mark.parametrize("form", BORDERS)
def test_borders_of_any_width_leave_both_loops_parallel(
    plan_of: Callable[..., LoopPlan], form: str
) -> None:
    """Where the width is negative, two columns may be one: that is asked before the launch."""
    plan = planned(plan_of, BORDERS[form])
    assert [axis.variable for axis in plan.grid] == ["i", "j"]
    assert any("r >= 0" in guard for guard in plan.guards)


def test_a_distance_that_may_be_short_leaves_the_inner_loop_to_the_thread(
    plan_of: Callable[..., LoopPlan],
) -> None:
    plan = planned(plan_of, "y[i, j] = y[i, j - r] + x[i, j]", "2")
    assert [axis.variable for axis in plan.grid] == ["i"]


@pytest.mark.parametrize(
    "bounds", ["int(first[k]), int(last[k])", "a, b", "int(first[k]), int(last[k]) + 1"]
)
def test_where_each_iteration_adds_to_cells_of_its_own_choice_all_run_at_once(
    plan_of: Callable[..., LoopPlan], bounds: str
) -> None:
    """The loop inside is parallel, too, but one launch for a handful of cells each is slow."""
    text = f"""
def f(first, last, weight, out):
    for k in range(len(first)):
        a, b = int(first[k]), int(last[k])
        for age in range({bounds}):
            out[age] += weight[k] - first[k]
"""
    names = ("first", "last", "weight", "out")
    plan = plan_of(text, **{name: ArrayFact("float64", 1) for name in names})
    assert [axis.variable for axis in plan.grid] == ["k"]
    assert plan.atomics == {"out"}
