"""The checker finds what is not well formed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gpuport.ir import Function, IRError, Op, check, walk
from gpuport.lower import lower

TEXT = """
def f(x, n):
    total = 0
    for i in range(n):
        if x[i] > 0:
            total += x[i]
    return total
"""


def function() -> Function:
    return next(f for f in lower(TEXT).functions if f.name == "f")


def first(of: Function, kind: str) -> Op:
    return next(op for op in walk(of.body) if op.kind == kind)


def _ends_without_terminator(of: Function) -> None:
    first(of, "If").regions[0].ops.pop()


def _uses_what_is_not_defined_there(of: Function) -> None:
    first(of, "Return").operands[0] = first(of, "Compare").result


def _defines_twice(of: Function) -> None:
    op = first(of, "Compare")
    op.results.append(op.result)


def _has_a_region_too_few(of: Function) -> None:
    first(of, "If").regions.pop()


def _has_another_attribute(of: Function) -> None:
    first(of, "Compare").attributes["colour"] = "red"


def _is_of_no_kind(of: Function) -> None:
    first(of, "Compare").kind = "Comparison"


def _yields_too_few_values(of: Function) -> None:
    first(of, "If").regions[0].terminator.operands.clear()


def _carries_too_few_values(of: Function) -> None:
    first(of, "Continue").operands.clear()


def _ends_in_the_middle(of: Function) -> None:
    ops = first(of, "For").regions[0].ops
    ops.insert(0, ops[-1])


def _stands_in_another_region(of: Function) -> None:
    first(of, "Compare").parent = of.body


@pytest.mark.parametrize(
    "spoil",
    [
        _ends_without_terminator,
        _uses_what_is_not_defined_there,
        _defines_twice,
        _has_a_region_too_few,
        _has_another_attribute,
        _is_of_no_kind,
        _yields_too_few_values,
        _carries_too_few_values,
        _ends_in_the_middle,
        _stands_in_another_region,
    ],
)
def test_a_spoilt_function_is_refused(spoil: Callable[[Function], None]):
    good = function()
    check(good)
    spoil(good)
    with pytest.raises(IRError):
        check(good)


def test_spans_nest():
    wrong = function()
    op = first(wrong, "Compare")
    op.span = first(wrong, "Return").span
    with pytest.raises(IRError, match="span"):
        check(wrong)
    check(wrong, nested=False)
