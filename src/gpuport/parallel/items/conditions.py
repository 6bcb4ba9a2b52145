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

_SHORT = 4
"""Trips of a loop in which conditions may divide the items: two ways each."""


def check_conditions(source: Source, node: ast.For, axes: int, items: frozenset[str]) -> None:
    """Refuse conditions on items in loops within, and in those of the functions that it calls.

    Raises
    ------
    Refused
    """
    around = node
    for _ in range(axes - 1):
        inner = right_inside(around)
        around = inner if inner is not None else around
    _check_lengths(node, around, items)
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


def _check_lengths(node: ast.For, last: ast.For, items: frozenset[str]) -> None:
    """Refuse parts and loops of which each item has another length: ``x[:i]``, ``range(i)``.

    Items that do not do the same are run apart, each way by itself: here each item is one.
    """
    counters = _counters(node, last)
    for part in (part for one in last.body for part in walk(one)):
        ends = _ends(part)
        varying = [one for one in ends if reads(one, items)]
        if len(varying) == 1 and _counts(varying[0], counters):
            text = ast.unparse(varying[0])
            what = "a slice" if isinstance(part, ast.Slice) else "a loop"
            why = f"{what} with one end at `{text}` has another length for each item"
            raise Refused(FORM, part, why)


def _ends(node: ast.AST) -> list[ast.expr]:
    """What tells the length of a slice, or how many trips a loop makes."""
    if isinstance(node, ast.Slice):
        return [one for one in (node.lower, node.upper) if one is not None]
    head = node.iter if isinstance(node, (ast.For, ast.comprehension)) else None
    counts = isinstance(head, ast.Call) and getattr(head.func, "id", "") == "range"
    return head.args if isinstance(head, ast.Call) and counts else []


def _counters(node: ast.For, last: ast.For) -> frozenset[str]:
    """The names that count the items: of ``range``, and the first of ``enumerate``."""
    found: set[str] = set()
    around: ast.For | None = node
    while around is not None:
        name = getattr(getattr(around.iter, "func", None), "id", "")
        targets = getattr(around.target, "elts", [around.target])
        if name == "range" or (name == "enumerate" and len(targets) > 1):
            found |= {one.id for one in targets[:1] if isinstance(one, ast.Name)}
        around = right_inside(around) if around is not last else None
    return frozenset(found)


def _counts(node: ast.expr, counters: frozenset[str]) -> bool:
    """Whether an end is a counter, and perhaps a fixed number more or less."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        sides = [one for one in (node.left, node.right) if not isinstance(one, ast.Constant)]
        return len(sides) == 1 and _counts(sides[0], counters)
    return isinstance(node, ast.Name) and node.id in counters


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
