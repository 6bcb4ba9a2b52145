"""Which branches ran: also where a test has lines of its own."""

from __future__ import annotations

import ast
import textwrap
from typing import Any

import pytest

from gpuport.verify.execution.coverage import Branch, Coverage

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


def taken(text: str, *answers: bool) -> set[Branch]:
    tree = ast.parse(textwrap.dedent(text))
    space: dict[str, Any] = {}
    exec(compile(tree, "module.py", "exec"), space)
    coverage = Coverage.of(space["f"].__code__, tree)
    left = list(answers)
    with coverage.watching():
        while left:
            space["f"](3, lambda a, b: left.pop(0) if left else False)
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
