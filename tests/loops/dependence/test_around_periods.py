"""Stores at places that go around a period, or are moved by elements of an array."""

from __future__ import annotations

import pytest

from gpuport.loops.facts import ArrayFact
from gpuport.loops.records import LoopPlan

NEST = """
def f(x, y, p, n: int, m: int, s: int):
    for i in range(n):
        for k in range(m):
            {body}
"""
APART = {
    "turned around": "y[(i + s) % n, k] = x[i, k]",
    "by an element of another loop": "y[(i + p[k]) % n, k] = x[i, k]",
    "under a name": "j = (i - p[k] + n) % n\n            y[k, j] = x[i, k]",
    "by several": "y[(i + p[k] - 2 * p[k + 1]) % n, k] = x[i, k]",
    "without a period": "y[i + p[k], k] = x[i, k]",
    "backwards": "y[k, (s - i) % n] = x[i, k]",
}
MEETING = {
    "by an element of its own": "y[(i + p[i]) % n, k] = x[i, k]",
    "by an element that changes": "y[(i + p[k]) % n, k] = x[i, k]\n            p[k] = 1",
    "the element's loop is in no other index": "y[(i + p[k]) % n, 0] = x[i, k]",
    "a name that is changed": (
        "j = (i + p[k]) % n\n            j = j // 2\n            y[j, k] = x[i, k]"
    ),
    "one of two values": (
        "j = (i + p[k]) % n\n            if x[i, k] > 0:\n                j = 0\n"
        "            y[j, k] = x[i, k]"
    ),
    "a period of the loop's own": "j = i + 1\n            y[(i + s) % j, k] = x[i, k]",
    "narrow elements": "y[(i + q[k]) % n, k] = x[i, k]",
}


@pytest.mark.parametrize("body", APART.values(), ids=APART)
def test_places_that_no_two_iterations_share(plan_of, body: str) -> None:
    plan = plan_of(NEST.format(body=body))
    assert [axis.variable for axis in plan.grid] == ["i", "k"]
    assert not plan.atomics
    assert "n > 0" in plan.guards or "%" not in body


@pytest.mark.parametrize("body", MEETING.values(), ids=MEETING)
def test_places_that_two_iterations_may_share(planned, body: str) -> None:
    found = planned(NEST.format(body=body), q=ArrayFact("int8", 1))
    threads = [axis.variable for one in found if isinstance(one, LoopPlan) for axis in one.grid]
    assert "i" not in threads


def test_a_period_has_to_be_long_enough(plan_of) -> None:
    plan = plan_of(NEST.format(body="y[(i + s) % m, k] = x[i, k]"))
    assert "m >= n" in plan.guards


def test_counts_at_elements_are_not_kept_apart_by_sizes(plan_of) -> None:
    """Where nothing is counted at all, no two iterations meet: that is no condition to ask for."""
    plan = plan_of("""
def f(x, y, n: int, m: int, s: int):
    for i in range(n):
        for k in range(m):
            if 0 <= k + s and k + s < m:
                y[x[i, k], x[i, k + s]] += 1
""")
    assert plan.atomics == {"y"}
    assert not any(" or " in guard for guard in plan.guards)
