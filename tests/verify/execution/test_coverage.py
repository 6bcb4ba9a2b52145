"""What counts as having run: what was compared, and how often."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from gpuport.verify.execution.coverage import FINITE, OTHER, Coverage

TEXT = """
def f(x):
    if x > 3:
        x = 2 * x
    return x if x < 9 else -x
"""


def _covered() -> tuple[Coverage, FunctionType]:
    names: dict[str, Any] = {}
    exec(compile(TEXT, "text", "exec"), names)
    return Coverage.of(names["f"].__code__, ast.parse(TEXT)), names["f"]


def _run(cover: Coverage, function: FunctionType, value: int, weight: int) -> None:
    with cover.watching():
        function(value)
    cover.settle(weight)


def test_what_ran_in_an_example_that_proves_nothing_has_not_run() -> None:
    cover, function = _covered()
    _run(cover, function, 4, 0)
    assert not cover.seen
    assert not cover.taken
    _run(cover, function, 1, FINITE)
    assert (3, False) in cover.taken
    assert (3, True) not in cover.taken


def test_a_branch_is_rare_until_several_finite_results_came_from_it() -> None:
    cover, function = _covered()
    for _ in range(3):
        _run(cover, function, 1, FINITE)
        _run(cover, function, 5, OTHER)
    assert cover.complete
    assert (3, False) not in cover.rare
    assert (3, True) in cover.rare
    assert not cover.settled
    for _ in range(2):
        _run(cover, function, 5, FINITE)
    assert cover.settled
