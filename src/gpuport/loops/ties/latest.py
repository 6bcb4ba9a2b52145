"""Loops tied by numbers that some iterations set and the others keep: the latest value counts.

``if x[i] > 0: last = i`` and ``out[i] = i - last``; ``count = count + 1 if x[i] > 0 else 0``. What
an iteration does to such a number depends on nothing that the iterations before it made: so all of
them are asked at once which do, and the latest of those, up to each iteration, gives its value.
"""

from __future__ import annotations

import ast

from gpuport.loops.carried import Accumulation, Latest
from gpuport.loops.heads.counting import leaves, nonempty
from gpuport.loops.names import constant_int, dotted, loaded, stored, walk
from gpuport.loops.reasons import Refused
from gpuport.loops.ties.patterns import accumulations, as_sum
from gpuport.loops.ties.recurrences import writes_elements

SMALL = 1000
"""A literal that a count may change by, so that it stays below what memory can hold."""

Found = tuple[tuple[Latest, ...], tuple[Accumulation, ...], str]
"""The numbers, what the iterations make together besides, and a guard: that there are any."""


class _Other(Exception):
    """More is done to a number than to set it, or to count."""


def find(loop: ast.For, carried: set[str], live: frozenset[str]) -> Found | None:
    """The numbers of a loop that only some iterations set, where nothing else ties it.

    Parameters
    ----------
    loop : ast.For
        In plain form; what sets such a number is made a statement of its own, in place.
    carried : set of str
        Names that an iteration reads before it has set them.
    live : frozenset of str
        Names that something reads after it.
    """
    if leaves(loop.body, (ast.Break,)):
        return None
    made: list[Latest] = []
    for name in sorted(carried):
        one = _split(loop, name, carried)
        made += [] if one is None else [one]
    if not made:
        return None
    names = {one.variable for one in made}
    last = max(loop.body.index(one.statement) for one in made)
    first, after = loop.body[: last + 1], loop.body[last + 1 :]
    others = carried - names
    if others & (loaded(first) | stored(first)):
        return None
    try:
        outlive = set(live) & stored(after) - others
        together = tuple(accumulations(after, others, outlive)) if others or outlive else ()
    except Refused:
        return None
    return tuple(made), together, nonempty(loop)


def asked_by_itself(node: ast.For | ast.While, message: str) -> str:
    """What else to write where a number that some iterations set decides which do, too."""
    for name in sorted(stored(node.body)):
        if not message.startswith(f"not parallel: `{name}` is carried"):
            continue
        sets = [n for n in walk(node.body) if isinstance(n, ast.Assign) and name in stored([n])]
        tests = [n.test for n in walk(node.body) if isinstance(n, ast.If | ast.IfExp)]
        literals = all(isinstance(n.value, ast.Constant) for n in sets)
        if sets and literals and name in loaded(tests):
            return (
                f"; where tests of elements alone decide which iterations set `{name}`, and not "
                f"`{name}` itself, the loop becomes a kernel"
            )
    return ""


def _split(loop: ast.For, name: str, carried: set[str]) -> Latest | None:
    """Make what sets a number a statement of its own; None where that is not to be had."""
    places = [k for k, statement in enumerate(loop.body) if name in stored([statement])]
    if len(places) != 1:
        return None
    (at,) = places
    before, statement = loop.body[:at], loop.body[at]
    if name in loaded(before) or leaves([*before, statement]) or writes_elements(before):
        return None
    try:
        update, rest = _Splitter(name, carried).split(statement)
    except _Other:
        return None
    if update is None or not isinstance(update, ast.If):
        return None
    ast.fix_missing_locations(update)
    loop.body[at : at + 1] = [update, *rest]
    return Latest(name, update, any(isinstance(n, ast.AugAssign) for n in walk([update])))


class _Splitter:
    """Takes what sets one number out of a statement."""

    def __init__(self, name: str, carried: set[str]) -> None:
        self.name = name
        self.carried = carried

    def split(self, statement: ast.stmt) -> tuple[ast.stmt | None, list[ast.stmt]]:
        """What sets the number, and what else the statement does, afterwards.

        Raises
        ------
        _Other
        """
        if isinstance(statement, ast.If):
            return self._if(statement)
        if isinstance(statement, ast.AugAssign):
            return self._counted(statement), []
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name):
            raise _Other
        value = statement.value
        if isinstance(value, ast.IfExp):
            ways = [
                ast.copy_location(ast.Assign([target], way), statement)
                for way in (value.body, value.orelse)
            ]
            made = ast.If(value.test, [ways[0]], [ways[1]])
            return self._if(ast.copy_location(made, statement))
        if isinstance(value, ast.Name) and value.id == self.name:
            return None, []
        if self.name not in loaded([value]):
            self._independent([value])
            return statement, []
        sum_ = as_sum(statement, self.name)
        if sum_ is None:
            raise _Other
        return self._counted(sum_), []

    def _if(self, node: ast.If) -> tuple[ast.stmt | None, list[ast.stmt]]:
        self._independent([node.test])
        updates, rests = zip(*map(self._block, (node.body, node.orelse)), strict=True)
        rest: list[ast.stmt] = []
        if rests[0] or rests[1]:
            rest = [ast.If(node.test, rests[0] or [ast.Pass()], rests[1])]
        made = ast.If(node.test, updates[0] or [ast.Pass()], updates[1])
        for one in (made, *rest):
            ast.fix_missing_locations(ast.copy_location(one, node))
        return (made if updates[0] or updates[1] else None), rest

    def _block(self, body: list[ast.stmt]) -> tuple[list[ast.stmt], list[ast.stmt]]:
        places = [k for k, one in enumerate(body) if self.name in stored([one])]
        if not places:
            return [], body
        if len(places) > 1:
            raise _Other
        (at,) = places
        before = body[:at]
        update, rest = self.split(body[at])
        read = loaded([body[at]]) | {self.name}
        if writes_elements(before) or stored(before) & read or self.name in loaded(before):
            raise _Other
        return ([] if update is None else [update]), [*before, *rest, *body[at + 1 :]]

    def _counted(self, node: ast.AugAssign) -> ast.stmt:
        """``count += 1`` with a small literal."""
        amount = constant_int(node.value)
        plain = isinstance(node.op, ast.Add | ast.Sub) and amount is not None
        if not plain or abs(amount or 0) > SMALL or dotted(node.target) != self.name:
            raise _Other
        return node

    def _independent(self, nodes: list[ast.expr]) -> None:
        if self.carried & loaded(nodes):
            raise _Other
