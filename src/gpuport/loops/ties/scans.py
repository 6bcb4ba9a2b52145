"""Loops whose iterations are tied by a running sum, product or extreme alone."""

from __future__ import annotations

import ast

from gpuport.loops.carried import Accumulation, Scan
from gpuport.loops.heads.counting import leaves, nonempty
from gpuport.loops.names import (
    Fresh,
    loaded,
    stored,
)
from gpuport.loops.reasons import Refused
from gpuport.loops.ties.patterns import accumulations, as_sum, extreme
from gpuport.loops.ties.recurrences import SIGNS, Running, minus, recurrence, writes_elements

_NOTHING = {"+": 0, "*": 1}
"""The term of an iteration that leaves the value as it is."""


def find(loop: ast.For, carried: set[str], live: frozenset[str], fresh: Fresh) -> Running | None:
    """The one scan of a loop.

    Parameters
    ----------
    loop : ast.For
        In plain form. A recurrence through an array is rewritten in place, so that a name carries
        the value: ``a[i] = a[i - 1] + f`` becomes ``a_ = a_ + f; a[i] = a_``.
    carried : set of str
        Names that an iteration reads before it has set them.
    live : frozenset of str
    fresh : Fresh

    Returns
    -------
    Running or None
        None where the loop is no scan, or more than one.
    """
    some = nonempty(loop)
    for name in sorted(carried):
        scan = _of_name(loop, name)
        made = None if scan is None else _made_of(loop, scan, carried - {name}, live)
        if scan is not None and made is not None:
            return Running(scan, (some,), made)
    if carried:
        return None
    for position, statement in enumerate(loop.body):
        found = recurrence(loop, statement, position, fresh)
        if found is not None:
            return Running(found.scan, (some, *found.guards))
    return None


def _made_of(
    loop: ast.For, scan: Scan, names: set[str], live: frozenset[str]
) -> tuple[Accumulation, ...] | None:
    """How the other names that outlive an iteration accumulate after the scan; None if they do
    not."""
    at = loop.body.index(scan.statement)
    before, after = loop.body[:at], loop.body[at + 1 :]
    if names & (loaded(before) | stored(before) | loaded([scan.statement])):
        return None
    try:
        outlive = set(live) & stored(after) - names
        return tuple(accumulations(after, names, outlive)) if names or outlive else ()
    except Refused:
        return None


def _of_name(loop: ast.For, name: str) -> Scan | None:
    """``s += f`` at the body's top level, read only after it."""
    position = next(
        (k for k, statement in enumerate(loop.body) if name in stored([statement])), None
    )
    if position is None:
        return None
    _join_updates(loop, position, name)
    statement = loop.body[position]
    before, after = loop.body[:position], loop.body[position + 1 :]
    if name in loaded(before) or name in stored(after):
        return None
    if leaves(before) or writes_elements(before):
        return None
    update = _update(statement, name)
    if update is None or name in loaded([update[1]]):
        return None
    return Scan(name, update[0], statement, update[1], name)


def _join_updates(loop: ast.For, position: int, name: str) -> None:
    """``s += f; s -= g`` as one statement, in place."""
    while position + 1 < len(loop.body) and name in stored([loop.body[position + 1]]):
        first, second = (_update(one, name) for one in loop.body[position : position + 2])
        if first is None or second is None or (first[0], second[0]) != ("+", "+"):
            return
        if name in loaded([first[1], second[1]]):
            return
        both = ast.copy_location(ast.BinOp(first[1], ast.Add(), second[1]), loop.body[position])
        made = ast.AugAssign(ast.Name(name, ast.Store()), ast.Add(), both)
        ast.fix_missing_locations(ast.copy_location(made, loop.body[position]))
        loop.body[position : position + 2] = [made]


def _update(statement: ast.stmt, name: str) -> tuple[str, ast.expr] | None:
    """The operator and the term of ``s += f``, ``s = max(s, f)``, ``if f > s: s = f``."""
    if isinstance(statement, ast.Assign):
        if not isinstance(statement.targets[0], ast.Name):
            return None
        call = statement.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 2:
            first, second = call.args
            if call.func.id in ("min", "max") and isinstance(first, ast.Name) and first.id == name:
                return call.func.id, second
        sum_ = as_sum(statement, name)
        return None if sum_ is None else _update(sum_, name)
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
        if isinstance(statement.op, ast.Sub):
            return "+", minus(statement.value)
        sign = SIGNS.get(type(statement.op))
        return None if sign is None else (sign, statement.value)
    if isinstance(statement, ast.If) and len(statement.body) == 1:
        found = extreme(statement, {name})
        if found is not None and not found.followers:
            return found.operator, found.value
        return _either(statement, name)
    return None


def _either(statement: ast.If, name: str) -> tuple[str, ast.expr] | None:
    """``if c: s += f`` with ``else: s -= g``, or without: one term, of which a test decides."""
    inner = _update(statement.body[0], name)
    if inner is None or inner[0] not in _NOTHING or name in loaded([statement.test]):
        return None
    operator, value = inner
    other: ast.expr = ast.Constant(_NOTHING[operator])
    if statement.orelse:
        found = _update(statement.orelse[0], name) if len(statement.orelse) == 1 else None
        if found is None or found[0] != operator:
            return None
        other = found[1]
    term = ast.IfExp(statement.test, value, other)
    return operator, ast.fix_missing_locations(ast.copy_location(term, statement))
