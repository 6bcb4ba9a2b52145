"""What counts as having run: what was compared, how often, and which branch of a test."""

from __future__ import annotations

import ast
import textwrap
from types import FunctionType
from typing import Any

import pytest

from gpuport.verify.execution.coverage import FINITE, OTHER, Branch, Coverage

NUMBERS = """
def f(x):
    if x > 3:
        x = 2 * x
    return x if x < 9 else -x
"""
TEXT = """
def f(x, holds):
    y = 1
    if (
        holds(
            a=x, b=2
        )
    ):
        y = max(
            x, y
        )
    else:
        y = 2
    return y
"""
JOINED = TEXT.replace("holds(", "x > -9 and holds(")
LOOPED = TEXT.replace("if (", "while (").replace("    else:\n        y = 2\n", "")


def _covered(text: str) -> tuple[Coverage, FunctionType]:
    tree = ast.parse(textwrap.dedent(text))
    space: dict[str, Any] = {}
    exec(compile(tree, "module.py", "exec"), space)
    return Coverage.of(space["f"].__code__, tree), space["f"]


def _run(cover: Coverage, function: FunctionType, value: int, weight: int) -> None:
    with cover.watching():
        function(value)
    cover.settle(weight)


def test_what_ran_in_an_example_that_proves_nothing_has_not_run() -> None:
    cover, function = _covered(NUMBERS)
    _run(cover, function, 4, 0)
    assert not cover.seen
    assert not cover.taken
    _run(cover, function, 1, FINITE)
    assert (3, False) in cover.taken
    assert (3, True) not in cover.taken


def test_a_branch_is_rare_until_several_finite_results_came_from_it() -> None:
    cover, function = _covered(NUMBERS)
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


def taken(text: str, *answers: bool) -> set[Branch]:
    coverage, function = _covered(text)
    left = list(answers)
    with coverage.watching():
        while left:
            function(3, lambda a, b: left.pop(0) if left else False)
    coverage.settle(FINITE)
    assert coverage.taken <= coverage.branches
    return coverage.taken


@pytest.mark.parametrize("text", [TEXT, JOINED])
def test_a_test_on_lines_of_its_own_is_true_or_false_as_it_is(text: str) -> None:
    assert taken(text, True) == {(4, True)}
    assert taken(text, False) == {(4, False)}
    assert taken(text, True, False) == {(4, True), (4, False)}


def test_so_is_that_of_a_loop() -> None:
    assert taken(LOOPED, False) == {(4, False)}
    assert taken(LOOPED, True, False) == {(4, True), (4, False)}
