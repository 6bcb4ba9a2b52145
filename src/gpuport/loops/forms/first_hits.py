"""Loops that look for the first hit: ``for i in ...: if test: k = i; break``.

All iterations test at once, and the least number among those that hit is the first one. What the
loop sets there is set after the launch.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.loops.context.scalars import exposed
from gpuport.loops.facts import Fact, ScalarFact, UnknownFact
from gpuport.loops.forms.hit_settings import HitSetting
from gpuport.loops.forms.returns import Returned
from gpuport.loops.heads.counting import leaves
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import (
    Fresh,
    constant_int,
    stored,
    walk,
)
from gpuport.loops.records import FirstHit


@dataclass(frozen=True)
class _Search:
    """The parts of a loop that ends at the first hit."""

    before: Sequence[ast.stmt]
    branch: ast.If
    test: ast.expr
    setting: Sequence[ast.Assign]


def first_hit(
    loop: ast.For,
    live: frozenset[str],
    facts: Mapping[str, Fact],
    fresh: Fresh,
    returned: Returned | None = None,
    otherwise: Sequence[ast.stmt] = (),
) -> FirstHit | None:
    """Make a loop that ends at the first hit one that looks for the least, in place.

    Parameters
    ----------
    loop : ast.For
        In plain form.
    live : frozenset of str
        Names that something reads after it.
    facts : mapping of str to Fact
    fresh : Fresh
    returned : Returned or None
        What it returns at the hit.
    otherwise : sequence of stmt
        Its ``else``.

    Returns
    -------
    FirstHit or None
        None where the loop is another one, which is left as it is.
    """
    nodes = list(walk(loop.body))
    elements = any(isinstance(n, ast.Subscript) and not _is_read(n) for n in nodes)
    # Iterations after the first hit run too: those that wait for something might wait for ever.
    if elements or any(isinstance(n, ast.While) for n in nodes):
        return None
    last = _without_hit(otherwise, loop, facts)
    if last is None:
        return None
    if returned is not None and returned.constant:
        (flag,) = returned.names
        return FirstHit(flag, "False", flag, (f"return {returned.constant}",), (), last)
    found = _least(loop, live, facts, fresh, returned)
    return None if found is None else replace(found, otherwise=last)


def _without_hit(
    otherwise: Sequence[ast.stmt], loop: ast.For, facts: Mapping[str, Fact]
) -> tuple[str, ...] | None:
    """The statements of an ``else`` that sets names to numbers, of nothing that the loop binds."""
    bound = stored([loop])
    for node in otherwise:
        value = getattr(node, "value", None)
        if not (_is_setting(node) or isinstance(node, ast.Return)) or value is None:
            return None
        parts = [part for part in ast.walk(value) if not isinstance(part, ast.expr_context)]
        plain = (ast.Constant, ast.Name, ast.UnaryOp, ast.unaryop, ast.Tuple)
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        known = (isinstance(facts.get(n, UnknownFact()), ScalarFact | UnknownFact) for n in names)
        if not all(isinstance(part, plain) for part in parts) or names & bound or not all(known):
            return None
    return tuple(ast.unparse(node) for node in otherwise)


def _least(
    loop: ast.For,
    live: frozenset[str],
    facts: Mapping[str, Fact],
    fresh: Fresh,
    returned: Returned | None,
) -> FirstHit | None:
    """Let each iteration that hits keep the first of its number and those before."""
    found = _search(loop)
    assert isinstance(loop.iter, ast.Call)
    stop, step = loop.iter.args[1:]
    amount = constant_int(step)
    if found is None or not amount or not isinstance(loop.target, ast.Name):
        return None
    names = stored(loop.body)
    set_ = {n for one in found.setting for n in stored([one])}
    carried = exposed(loop.body) & names
    first, sign = ("min", "<") if amount > 0 else ("max", ">")
    if carried or (names - set_) & live or facts.get(first) is not None:
        return None
    variable = fresh.exactly("first")
    setting = HitSetting(variable, loop, facts, _expressions(found))
    lines = setting.lines(found.setting, returned)
    if lines is None:
        return None
    if loop.target.id in live:
        lines.insert(0, f"{loop.target.id} = {variable}")
    value = parse(f"{first}({variable}, {loop.target.id})", found.branch)
    made = ast.Assign([ast.Name(variable, ast.Store())], value)
    found.branch.test = found.test
    found.branch.body = [ast.fix_missing_locations(ast.copy_location(made, found.branch))]
    for child in walk([made]):
        ast.copy_location(child, found.branch)
    none = ast.unparse(stop)
    test = f"{variable} {sign} {none}"
    return FirstHit(variable, none, test, tuple(lines), tuple(setting.reads.items()))


def _search(loop: ast.For) -> _Search | None:
    """The parts of a loop whose last statement tests, sets names and ends it; None of others.

    ``if a: if b: ...; break`` tests both.
    """
    if not loop.body or loop.orelse:
        return None
    *before, last = loop.body
    if not isinstance(last, ast.If) or last.orelse or leaves(before):
        return None
    tests, inner = [last.test], last
    while len(inner.body) == 1 and isinstance(inner.body[0], ast.If):
        inner = inner.body[0]
        tests.append(inner.test)
        if inner.orelse:
            return None
    *setting, end = inner.body
    if not isinstance(end, ast.Break) or not all(map(_is_setting, setting)):
        return None
    test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
    ast.fix_missing_locations(ast.copy_location(test, tests[0]))
    return _Search(before, last, test, setting)  # type: ignore[arg-type]


def _is_setting(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
    )


def _is_read(node: ast.Subscript) -> bool:
    return isinstance(node.ctx, ast.Load)


def _expressions(found: _Search) -> list[ast.expr]:
    """What is computed in every iteration."""
    values = [one.value for one in found.before if isinstance(one, ast.Assign)]
    return [*values, found.test]


__all__ = ["first_hit"]
