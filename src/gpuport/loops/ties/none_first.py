"""Extremes that begin with None: ``if best is None or v < best: best = v``.

A number that an iteration sets to None for itself is one, with a flag that tells whether it has
been set. One that is None before the loop begins as the first iteration would make it: what is
less than that is found by the others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import Fresh, blocks, constant_int, loaded, mentions, stored, walk
from gpuport.loops.reasons import UNKNOWN_TYPE, Refused

_LESS = (ast.Lt, ast.LtE)
_MORE = (ast.Gt, ast.GtE)


def flagged(
    loop: ast.For | ast.While, live: frozenset[str], fresh: Fresh, owner: str | None
) -> list[str]:
    """Give each number that the loop sets to None a flag, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
    live : frozenset of str
        Names that something reads after it.
    fresh : Fresh
    owner : str or None
        The name of NumPy.

    Returns
    -------
    list of str
        Guards under which the numbers are set where they are read.

    Raises
    ------
    Refused
        Where it does not show whether one is.
    """
    guards: list[str] = []
    for block in list(blocks(loop)):
        for node in list(block):
            name = _unset(node)
            sign = None if name is None else _sign(loop, name)
            if name is None or sign is None or owner is None or name in live:
                continue
            flag = fresh.name(f"{name}_unset")
            at = block.index(node)
            guards += _Flag(name, flag, loop).put(block, at)
            begin = ast.parse(f"{name} = {sign}{owner}.inf\n{flag} = True").body
            for part in walk(begin):
                ast.copy_location(part, node)
            block[at : at + 1] = begin
    return guards


def first_asked(loop: ast.For | ast.While, unset: Callable[[str], bool]) -> set[str]:
    """Leave out the question whether a name is None that is so before the loop, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
    unset : callable
        Whether a name is None where the loop begins.

    Returns
    -------
    set of str
        Such names, whose numbers have to begin as the first iteration would make them.
    """
    found: set[str] = set()
    for node in walk([loop]):
        asked = first_or(node.test) if isinstance(node, ast.If) else None
        if asked is None or not isinstance(node, ast.If):
            continue
        name, test = asked
        inside = mentions([node], name) == mentions([loop], name) == mentions(node.body, name) + 2
        if inside and mentions(node.body, name) == 1 and not node.orelse and unset(name):
            node.test = test
            found.add(name)
    return found


def asked_none(test: ast.expr, name: str | None = None) -> tuple[str, bool] | None:
    """The name of ``name is None``, and whether it is asked for that or for the contrary."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, right = test.left, test.comparators[0]
    is_none = isinstance(right, ast.Constant) and right.value is None
    if not is_none or not isinstance(left, ast.Name) or name not in (None, left.id):
        return None
    if isinstance(test.ops[0], ast.Is):
        return left.id, True
    return (left.id, False) if isinstance(test.ops[0], ast.IsNot) else None


def first_or(test: ast.expr) -> tuple[str, ast.Compare] | None:
    """The name and the comparison of ``best is None or v < best``."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.Or):
        return None
    if len(test.values) != 2:
        return None
    first, second = test.values
    asked = asked_none(first)
    if asked is None or not asked[1] or not isinstance(second, ast.Compare):
        return None
    return (asked[0], second) if len(second.ops) == 1 else None


def _unset(node: ast.stmt) -> str | None:
    """The name of ``best = None``."""
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
        return None
    none = isinstance(node.value, ast.Constant) and node.value.value is None
    return node.targets[0].id if none else None


def _runs(head: ast.expr) -> list[str]:
    """Conditions under which a loop over this has an iteration; none where they do not show."""
    if isinstance(head, ast.Name):
        return [f"len({head.id}) > 0"]
    if not isinstance(head, ast.Call) or not isinstance(head.func, ast.Name) or head.keywords:
        return []
    given = [ast.unparse(one) for one in head.args]
    if head.func.id in ("enumerate", "zip", "reversed"):
        found = [_runs(one) for one in head.args]
        return [guard for one in found for guard in one] if all(found) else []
    if head.func.id != "range" or not 1 <= len(given) <= 3:
        return []
    if len(given) == 1:
        return [f"{given[0]} > 0"]
    step = 1 if len(given) == 2 else constant_int(head.args[2])
    if not step:
        return []
    return [f"{given[1]} {'>' if step > 0 else '<'} {given[0]}"]


def _sign(loop: ast.For | ast.While, name: str) -> str | None:
    """The sign of what every number is beyond; None where it is not an extreme."""
    for node in walk([loop]):
        found = first_or(node.test) if isinstance(node, ast.If) else None
        if found is None or found[0] != name:
            continue
        left, sign = found[1].left, found[1].ops[0]
        itself = isinstance(left, ast.Name) and left.id == name
        if isinstance(sign, _MORE if itself else _LESS):
            return ""
        if isinstance(sign, _LESS if itself else _MORE):
            return "-"
    return None


def unsure(name: str, node: ast.AST) -> Refused:
    """The refusal of a number that may be None."""
    message = f"`{name}` may be None where it is read: it does not show that it is set by then"
    return Refused(UNKNOWN_TYPE, node, message)


def of_none(refused: Refused, region: ast.stmt) -> Refused:
    """A refusal of two types in the user's terms, where a number of one of them stands for None."""
    nodes = [node for node in walk([region]) if isinstance(node, ast.stmt)]
    names = {name for node in nodes if (name := _unset(node)) is not None}
    shown = re.match(r"the type of `([^`]*)` depends on the path taken", refused.message)
    found = names & set(re.findall(r"\w+", shown[1])) if shown else set()
    if found:
        refused.message = (
            f"`{min(found)}` begins as None in each iteration, and is then set to whole numbers, "
            "of which none can stand for it: begin with the first one, or make all of them `float`"
        )
    return refused


@dataclass
class _Flag:
    """Puts a flag in the place of questions whether a name is None."""

    name: str
    flag: str
    loop: ast.For | ast.While

    def put(self, block: list[ast.stmt], at: int) -> list[str]:
        """Rewrite what follows ``best = None`` in its block; the guards under which it is right."""
        before = mentions(block[: at + 1], self.name)
        rest = block[at + 1 :]
        inside = mentions(rest, self.name)
        if before != 1 or before + inside != mentions([self.loop], self.name):
            raise unsure(self.name, block[at])
        guards: list[str] = []
        set_ = False
        for node in rest:
            if isinstance(node, ast.For) and not set_:
                known = self._sets(node)
                if known is not None:
                    set_, guards = True, known
            elif not set_ and self._reads(node):
                raise unsure(self.name, node)
        for inner in blocks(ast.Module(rest, [])):
            if inner is not rest:
                self._store(inner)
        self._store(rest)
        block[at + 1 :] = [_Asked(self.name, self.flag).visit(node) for node in rest]
        for part in walk(block):
            ast.fix_missing_locations(part)
        return guards

    def _reads(self, node: ast.AST) -> bool:
        """Whether the name is read where nothing has asked that it is set."""
        if isinstance(node, ast.If | ast.IfExp):
            asked = asked_none(node.test, self.name)
            if asked is not None:
                where = node.body if asked[1] else node.orelse
                return any(map(self._reads, where if isinstance(where, list) else [where]))
        if isinstance(node, ast.Name):
            return node.id == self.name and isinstance(node.ctx, ast.Load)
        return any(map(self._reads, ast.iter_child_nodes(node)))

    def _sets(self, node: ast.For) -> list[str] | None:
        """The guards under which a loop sets the name in its first iteration; None if it may not.

        In the loop itself only the ``if`` that sets it may read it.
        """
        heads = [node]
        while len(node.body) == 1 and isinstance(node.body[0], ast.For):
            node = node.body[0]
            heads.append(node)
        for at, statement in enumerate(node.body):
            if self.name not in loaded([statement]) | stored([statement]):
                continue
            found = first_or(statement.test) if isinstance(statement, ast.If) else None
            once = mentions(node.body, self.name) == mentions([statement], self.name)
            if found is None or not isinstance(statement, ast.If) or statement.orelse or not once:
                raise unsure(self.name, statement)
            plain = [one for one in statement.body if self.name in stored([one])]
            alone = all(isinstance(one, ast.Assign) for one in statement.body)
            if found[0] != self.name or len(plain) != 1 or not alone:
                raise unsure(self.name, statement)
            if mentions(statement.body, self.name) != 1 or mentions([found[1]], self.name) != 1:
                raise unsure(self.name, statement)
            guards = [guard for head in heads for guard in _runs(head.iter)]
            bound = stored([self.loop])
            fixed = guards and not any(loaded([ast.parse(guard)]) & bound for guard in guards)
            return guards if fixed and not leaves(node.body[:at]) else None
        return None

    def _store(self, block: list[ast.stmt]) -> None:
        """``best = v`` with ``best_unset = False`` after it."""
        made: list[ast.stmt] = []
        for node in block:
            made.append(node)
            if isinstance(node, ast.Assign) and self.name in stored([node]):
                (told,) = ast.parse(f"{self.flag} = False").body
                made.append(ast.copy_location(told, node))
        block[:] = made


class _Asked(ast.NodeTransformer):
    def __init__(self, name: str, flag: str) -> None:
        self.name = name
        self.flag = flag

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        asked = asked_none(node, self.name)
        if asked is None:
            return self.generic_visit(node)
        made: ast.expr = ast.Name(self.flag, ast.Load())
        if not asked[1]:
            made = ast.UnaryOp(ast.Not(), made)
        return ast.copy_location(made, node)
