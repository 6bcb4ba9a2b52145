"""Conditions on items in loops within: each trip may divide the items anew."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.parallel.items.records import FORM, Refused, Source
from gpuport.parallel.items.syntax import right_inside
from gpuport.source.carried import surely_runs
from gpuport.source.depending import differing, reads, reads_values
from gpuport.source.parameters import parameter_names
from gpuport.source.syntax import walk
from gpuport.source.uneven import uneven

_SHORT = 4
"""Trips of a loop in which conditions may divide the items: two ways each."""


def check_conditions(source: Source, node: ast.For, axes: int, items: frozenset[str]) -> None:
    """Refuse conditions on items in loops within, and in those of the functions that it calls.

    Raises
    ------
    Refused
    """
    around, loops = node, [node]
    for _ in range(axes - 1):
        inner = right_inside(around)
        around = inner if inner is not None else around
        loops.append(around)
    for part, what in uneven(loops, items):  # items that differ run apart: each would be one
        raise Refused(FORM, part, f"{what} has another length for each item")
    for one in _again_and_again(around.body, items):
        why = "a condition decides for each item, time after time in a loop within"
        raise Refused(FORM, one, f"unsupported syntax: {why}")
    for call in (part for one in around.body for part in walk(one)):
        function = source.definition(call) if isinstance(call, ast.Call) else None
        if function is None or not isinstance(call, ast.Call):
            continue
        given = _given(call, function, items)
        within = differing(function.body, given, reads_values)
        for _ in _again_and_again(function.body, within):
            why = (
                f"a condition in `{function.name}` decides for each item, time after time in a loop"
            )
            raise Refused(FORM, call, f"unsupported syntax: {why}")


def _again_and_again(body: Sequence[ast.AST], items: frozenset[str]) -> Iterator[ast.If]:
    """The conditions on items in loops of some statements."""
    for loop in (one for statement in body for one in walk(statement)):
        if isinstance(loop, ast.For) and not _is_short(loop):
            tests = (one for one in walk(loop) if isinstance(one, ast.If))
            yield from (one for one in tests if reads(one.test, items))


def _given(call: ast.Call, function: ast.FunctionDef, items: frozenset[str]) -> set[str]:
    """The parameters that a call gives what differs from item to item; all, where that is open."""
    names = list(parameter_names(function))
    method = isinstance(call.func, ast.Attribute)
    given: list[ast.expr] = [call.func.value] if isinstance(call.func, ast.Attribute) else []
    given += call.args
    stars = any(isinstance(one, ast.Starred) for one in call.args)
    named = {one.arg: one.value for one in call.keywords if one.arg is not None}
    if stars or len(named) < len(call.keywords) or (method and len(given) > len(names)):
        return set(names)
    named |= dict(zip(names, given, strict=False))
    return {name for name, value in named.items() if reads(value, items)}


def _is_short(loop: ast.For) -> bool:
    """Whether a loop is written to make a few trips."""
    if not surely_runs(loop.iter) or not isinstance(loop.iter, ast.Call):
        return False
    return len(range(*(one.value for one in loop.iter.args))) <= _SHORT  # type: ignore[attr-defined]


__all__ = ["check_conditions"]
