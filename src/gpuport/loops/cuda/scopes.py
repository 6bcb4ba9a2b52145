"""Where the variables of a body are declared: as late as C++ allows."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gpuport.loops.names import loaded, stored, walk
from gpuport.source import syntax


@dataclass
class Scopes:
    """Places of declarations.

    Attributes
    ----------
    inline : set of (ast.stmt, str)
        Assignments that declare the name.
    before : dict of ast.stmt to list of str
        Names declared in front of a statement.
    counters : set of ast.For
        Loops that declare their own variable.
    constant : set of str
        Names that are set once.
    """

    inline: set[tuple[ast.stmt, str]] = field(default_factory=set)
    before: dict[ast.stmt, list[str]] = field(default_factory=dict)
    counters: set[ast.For] = field(default_factory=set)
    constant: set[str] = field(default_factory=set)


def scopes(body: Sequence[ast.stmt], outside: Iterable[str] = ()) -> Scopes:
    """Decide for every name that a body binds.

    Parameters
    ----------
    body : sequence of ast.stmt
    outside : iterable of str
        Names that are declared already.
    """
    found = Scopes()
    names = sorted(stored(body) - set(outside))
    loops = [node for node in walk(body) if isinstance(node, ast.For)]
    for name in names:
        own = [loop for loop in loops if _target(loop) == name]
        if own and not _used_beside(body, name, own):
            found.counters |= set(own)
        else:
            _place(found, body, name)
            if sum(_binds(node, name) for node in walk(body)) == 1:
                found.constant.add(name)
    return found


def _target(loop: ast.For) -> str | None:
    return loop.target.id if isinstance(loop.target, ast.Name) else None


def _binds(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)


def _used_beside(body: Iterable[ast.AST], name: str, own: list[ast.For]) -> bool:
    """Whether a loop's variable is used anywhere but in the loop, or set in it."""
    inside = {id(node) for loop in own for part in loop.body for node in walk([part])}
    targets = {id(loop.target) for loop in own}
    for node in walk(body):
        if not (isinstance(node, ast.Name) and node.id == name) or id(node) in targets:
            continue
        if id(node) not in inside or isinstance(node.ctx, ast.Store):
            return True
    return False


def _mentions(node: ast.AST, name: str) -> bool:
    return any(n.__class__ is ast.Name and n.id == name for n in syntax.walk(node))


def _place(found: Scopes, block: Sequence[ast.stmt], name: str) -> None:
    where = [k for k, statement in enumerate(block) if _mentions(statement, name)]
    first = block[where[0]]
    if len(where) == 1:
        inner = _only_block(first, name)
        if inner is not None:
            _place(found, inner, name)
            return
    if _plain(first, name):
        found.inline.add((first, name))
    else:
        found.before.setdefault(first, []).append(name)


def _plain(node: ast.stmt, name: str) -> bool:
    if isinstance(node, ast.AnnAssign):
        return (
            _binds(node.target, name) and node.value is not None and not _mentions(node.value, name)
        )
    if not isinstance(node, ast.Assign) or _mentions(node.value, name):
        return False
    target = node.targets[0]
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return sum(_mentions(t, name) for t in names) == 1 and any(_binds(t, name) for t in names)


def _only_block(node: ast.stmt, name: str) -> list[ast.stmt] | None:
    """The one block of a compound statement in which a name lives, where it may be declared."""
    if isinstance(node, ast.If):
        if _mentions(node.test, name):
            return None
        blocks = [b for b in (node.body, node.orelse) if any(_mentions(s, name) for s in b)]
        return blocks[0] if len(blocks) == 1 else None
    if isinstance(node, ast.For):
        if _mentions(node.iter, name) or _mentions(node.target, name):
            return None
    elif not isinstance(node, ast.While) or _mentions(node.test, name):
        return None
    return None if _first(node.body, name) == "read" else node.body


def _first(block: Sequence[ast.stmt], name: str) -> str:
    """What a block does first with a name: ``read``, ``set``, or neither for sure."""
    for node in block:
        if isinstance(node, ast.If):
            ways = {_first(node.body, name), _first(node.orelse, name)}
            if name in loaded([node.test]) or "read" in ways:
                return "read"
            if ways == {"set"}:
                return "set"
        elif isinstance(node, ast.For | ast.While):
            head = node.iter if isinstance(node, ast.For) else node.test
            if name in loaded([head]) or _first(node.body, name) == "read":
                return "read"
        elif isinstance(node, ast.Break | ast.Continue | ast.Return):
            return "read" if name in loaded([node]) else "set"
        elif name in loaded([node]):
            return "read"
        elif name in stored([node]):
            return "set"
    return "neither"
