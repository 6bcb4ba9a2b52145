"""What nothing needs is not carried around."""

from __future__ import annotations

from gpuport.ir import Op, walk
from gpuport.lower import lower


def loops(text: str) -> list[Op]:
    (function,) = (f for f in lower(text).functions if f.name == "f")
    return [op for op in walk(function.body) if op.kind in ("For", "While")]


def carried(text: str) -> list[set[str]]:
    return [{result.name for result in loop.results} for loop in loops(text)]


def test_what_each_iteration_makes_anew_is_private():
    text = """
def f(x, y):
    for i in range(len(x)):
        a = x[i] * 2
        y[i] = a + 1
"""
    assert carried(text) == [set()]


def test_a_recurrence_is_carried_through_a_nest():
    text = """
def f(x):
    total = 0.0
    for i in range(3):
        for j in range(4):
            t = x[i, j]
            total = total + t
    return total
"""
    assert carried(text) == [{"total"}, {"total"}]


def test_a_last_value_is_carried_where_it_is_read_afterwards():
    text = """
def f(x):
    last = None
    for v in x:
        last = v
        other = v
    return last
"""
    assert carried(text) == [{"last"}]


def test_a_name_that_only_the_next_round_reads_is_carried():
    text = """
def f(x, y):
    before = 0.0
    for i in range(len(x)):
        y[i] = x[i] - before
        before = x[i]
"""
    assert carried(text) == [{"before"}]


def test_pure_operations_that_nothing_uses_go():
    functions = lower("def f():\n    a = (1, 2)\n    return 3\n").functions
    (function,) = (f for f in functions if f.name == "f")
    assert [op.kind for op in walk(function.body)] == ["Const", "Return"]
