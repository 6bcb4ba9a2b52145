"""Loops tied by numbers that iterations only add to, and read on the way: ``out[k] = v; k += 1``.

What the iterations before it have added to such a number is all that an iteration has to know of
them. So the additions are made first, by themselves; their running sums tell each thread what it
begins with, and each does what the loop does.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from gpuport.loops.carried import Accumulation, Tallies
from gpuport.loops.heads.counting import leaves, nonempty
from gpuport.loops.names import constant_int, loaded, stored, walk
from gpuport.loops.reasons import Refused
from gpuport.loops.ties.patterns import accumulations, write_sums

_FEW = 1000
"""More than a loop counts at a time."""
Found = tuple[Tallies, tuple[Accumulation, ...], str]
"""The tallies, what the iterations make together besides, and a guard: that there are any."""


def find(loop: ast.For, carried: set[str], live: frozenset[str]) -> Found | None:
    """The tallies of a loop that nothing else ties.

    Parameters
    ----------
    loop : ast.For
        In plain form; sums are written as such, in place.
    carried : set of str
        Names that an iteration reads before it has set them.
    live : frozenset of str
        Names that something reads after it.
    """
    write_sums(loop, carried)
    names = {name for name in carried if _only_added_to(loop, name)}
    names = {name for name in names if _read(loop.body, name)}
    if not names or leaves(loop.body, (ast.Break,)):
        return None
    body, needed = _additions(loop.body, names)
    if needed & (carried - names) or any(_read(body, name) for name in names):
        return None
    outlive = (set(live) & stored(loop.body)) - names
    try:
        together = accumulations(loop.body, carried - names, outlive)
    except Refused:
        return None
    records = tuple(Accumulation(n, "+", s) for n in sorted(names) for s in adding(body, n))
    tallies = Tallies(tuple(sorted(names)), records, tuple(body))
    return tallies, tuple(together), nonempty(loop)


def loops(body: Sequence[ast.stmt]) -> list[ast.For | ast.While]:
    """All loops in a block."""
    return [node for node in walk(body) if isinstance(node, ast.For | ast.While)]


def blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The blocks of a statement that holds others."""
    if isinstance(statement, ast.If):
        return [statement.body, statement.orelse]
    return [statement.body] if isinstance(statement, ast.For | ast.While) else []


def raises(statement: ast.stmt, name: str) -> TypeGuard[ast.AugAssign]:
    """Whether a statement adds a positive literal to a name, and does nothing else."""
    if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Add):
        return False
    target = statement.target
    return isinstance(target, ast.Name) and target.id == name and _positive(statement.value)


def _positive(value: ast.expr) -> bool:
    amount = constant_int(value)
    return amount is not None and 0 < amount < _FEW


def adding(body: Sequence[ast.stmt], name: str) -> Iterator[ast.stmt]:
    """The statements that set a name."""
    for statement in body:
        inner = blocks(statement)
        for block in inner:
            yield from adding(block, name)
        if not inner and name in stored([statement]):
            yield statement


def _only_added_to(loop: ast.For, name: str) -> bool:
    """Whether all that sets a name adds to it what does not depend on it."""
    if name in stored([loop.target]):
        return False
    if any(name in stored([n.target]) for n in loops(loop.body) if isinstance(n, ast.For)):
        return False
    return all(
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.op, ast.Add | ast.Sub)
        and isinstance(statement.target, ast.Name)
        and name not in loaded([statement.value])
        for statement in adding(loop.body, name)
    )


def endless(tallies: Tallies) -> ast.For | ast.While | None:
    """A loop in what the additions depend on that goes on for as long as data say.

    An index out of range ends the user's loop, and not the one that only counts.
    """
    inside = loops(tallies.body)
    counters = {n for one in inside if isinstance(one, ast.For) for n in stored([one.target])}
    bound = stored(tallies.body) - counters
    for one in inside:
        if isinstance(one, ast.While):
            return one
        elements = any(
            isinstance(n, ast.Subscript) and not isinstance(n.value, ast.Attribute)
            for n in walk([one.iter])
        )
        indices = [n.slice for n in walk(one.body) if isinstance(n, ast.Subscript)]
        within = stored([one.target]) & loaded(indices)
        if (elements or loaded([one.iter]) & bound) and not within:
            return one
    return None


def _read(body: Sequence[ast.stmt], name: str) -> bool:
    """Whether anything reads a name, but for adding to it."""
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
        for node in walk(body)
    )


def _additions(body: Sequence[ast.stmt], names: set[str]) -> tuple[list[ast.stmt], set[str]]:
    """The part of a body that the additions depend on, and the names in it."""
    needed = set(names)
    while True:
        part = _part(body, needed)
        wider = needed | loaded(part) | stored(part)
        if wider == needed:
            return part, needed - names
        needed = wider


def _part(body: Sequence[ast.stmt], needed: set[str]) -> list[ast.stmt]:
    """The statements that set these names, and what decides whether they run."""
    kept: list[ast.stmt] = []
    for statement in body:
        if isinstance(statement, ast.Break | ast.Continue):
            kept.append(statement)
        elif isinstance(statement, ast.If | ast.For | ast.While):
            made = copy.copy(statement)
            made.body = _part(statement.body, needed)
            made.orelse = _part(statement.orelse, needed)
            wanted = any(not isinstance(n, ast.Break | ast.Continue) for n in made.body)
            exits = isinstance(statement, ast.If) and leaves([statement])
            if wanted or made.orelse or exits:
                made.body = made.body or [ast.copy_location(ast.Pass(), statement)]
                kept.append(made)
        elif stored([statement]) & needed:
            kept.append(statement)
    return kept


def without_last(body: Sequence[ast.stmt], name: str) -> list[ast.stmt]:
    """A body without the additions to a number that nothing in it reads any more."""
    if any({name} & stored(loop.body) and _read(loop.body, name) for loop in loops(body)):
        return list(body)
    made: list[ast.stmt] = []
    for position, statement in enumerate(body):
        later = _read(body[position + 1 :], name)
        if later or name not in stored([statement]):
            made.append(statement)
        elif isinstance(statement, ast.If | ast.For | ast.While):
            one = copy.copy(statement)
            one.body = without_last(statement.body, name)
            one.orelse = without_last(statement.orelse, name)
            one.body = one.body or [ast.copy_location(ast.Pass(), statement)]
            made.append(one)
    return made
