"""What makes conflicts harmless: old values where that asks for less than keeping apart."""

from __future__ import annotations

import pytest

LOOPS = {
    "ahead by a number": ("for i in range(n):\n        a[i] = a[i + s] * 2", "s >= 0", True),
    "a table of a knapsack": (
        "for c in range(n, s - 1, -1):\n        a[c] = max(a[c], a[c - s] + 1)", "s >= 0", True,
    ),
    "behind by a number": (
        "for i in range(s, n):\n        a[i] = a[i - s] * 2", "2 * s >= n", False,
    ),
    "apart where nothing is negative": (
        "for i in range(n):\n        for j in range(s, 4):\n            b[i, j] = b[i, 0] if j < 0 "
        "else j", "n <= 0 or s >= 0", False,
    ),
    "a neighbour of each": ("for i in range(n):\n        a[i] = a[i + 1] - a[i]", "", True),
}  # fmt: skip


@pytest.mark.parametrize(("loop", "guard", "kept"), LOOPS.values(), ids=LOOPS)
def test_old_values_are_read_where_that_asks_for_less(plan_of, loop, guard, kept):
    plan = plan_of(f"def f(a, b, n: int, s: int):\n    {loop}\n")
    assert bool(plan.snapshots) == kept
    assert guard in " and ".join(plan.guards)
