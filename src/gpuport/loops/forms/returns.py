"""Loops that a ``return`` ends, as loops that end at their first hit."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import Fresh, blocks, stored, walk
from gpuport.source.making import assigned


def without_else(loop: Loop, fresh: Fresh) -> None:
    """Write the ``else`` of every loop inside another one as an ``if`` behind it, in place.

    ``for ...: ... break`` with an ``else`` keeps a name that is true until the ``break``.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    fresh : Fresh
    """
    for node in walk([loop]):
        for part in ("body", "orelse"):
            block = getattr(node, part, None)
            if isinstance(block, list):
                block[:] = [made for one in block for made in _statements(one, fresh)]


def _statements(node: ast.stmt, fresh: Fresh) -> list[ast.stmt]:
    if not isinstance(node, ast.For | ast.While) or not node.orelse:
        return [node]
    otherwise, node.orelse = node.orelse, []
    if not leaves(node.body, (ast.Break,)):
        return [node, *otherwise]
    name = fresh.name("finished")
    _tell(node.body, name)
    after = ast.If(ast.Name(name, ast.Load()), otherwise, [])
    ast.fix_missing_locations(ast.copy_location(after, otherwise[0]))
    return [assigned(name, ast.Constant(True), node), node, after]


def _tell(body: list[ast.stmt], name: str) -> None:
    """Set a name before each ``break`` of the loop with this body."""
    for position in reversed(range(len(body))):
        statement = body[position]
        if isinstance(statement, ast.Break):
            body.insert(position, assigned(name, ast.Constant(False), statement))
        elif isinstance(statement, ast.If):
            _tell(statement.body, name)
            _tell(statement.orelse, name)
        elif isinstance(statement, ast.For | ast.While):
            _tell(statement.orelse, name)


def with_one_exit(
    body: Sequence[ast.stmt], name: Callable[[str], str]
) -> tuple[list[ast.stmt], ast.expr] | None:
    """Statements without a return, and the value after them.

    Parameters
    ----------
    body : sequence of stmt
    name : callable
        Makes names for the value where it is not that of one return at the end.

    Returns
    -------
    tuple or None
        None where a loop may return, the end may be reached without a value, or the values are
        not tuples of one length, all of them, or none.
    """
    found = [node for node in walk(body) if isinstance(node, ast.Return)]
    values = [node.value for node in found]
    if not found or None in values:
        return None
    if len(found) == 1 and body[-1] is found[0] and found[0].value is not None:
        return list(body[:-1]), found[0].value
    sizes = {len(value.elts) if isinstance(value, ast.Tuple) else 0 for value in values}
    if len(sizes) > 1:
        return None
    size = sizes.pop()
    names = [name("returned") for _ in range(size or 1)]
    made = _ended(list(body), names)
    if made is None:
        return None
    parts: list[ast.expr] = [ast.Name(one, ast.Load()) for one in names]
    value = ast.Tuple(parts, ast.Load()) if size else parts[0]
    return made, ast.fix_missing_locations(ast.copy_location(value, found[-1]))


def _ended(block: list[ast.stmt], names: Sequence[str]) -> list[ast.stmt] | None:
    """A block that sets names where it returned; None where it may run on behind its end."""
    for position, node in enumerate(block):
        if isinstance(node, ast.Return):
            return [*block[:position], *_given(node, names)]
        if not any(isinstance(inner, ast.Return) for inner in walk([node])):
            continue
        rest = block[position + 1 :]
        if isinstance(node, ast.For | ast.While):
            made = _searched(node, rest, names)
            return None if made is None else [*block[:position], *made]
        if not isinstance(node, ast.If):
            return None
        first, other = _returns(node.body), _returns(node.orelse)
        if not first and not other:
            return None
        body = _ended(node.body + ([] if first else rest), names)
        orelse = _ended(node.orelse + ([] if other else rest), names)
        if body is None or orelse is None:
            return None
        both = ast.copy_location(ast.If(node.test, body, orelse), node)
        return [*block[:position], both]
    return None


def _searched(
    loop: ast.For | ast.While, rest: Sequence[ast.stmt], names: Sequence[str]
) -> list[ast.stmt] | None:
    """``for k in ...: if ...: return k``, and ``return -1`` behind it, which can be set before."""
    inside = [node for node in walk(loop.body) if isinstance(node, ast.For | ast.While)]
    last = rest[0] if rest else None
    if loop.orelse or not isinstance(last, ast.Return) or last.value is None:
        return None
    if any(isinstance(node, ast.Return) for node in walk(inside)):
        return None
    plain = (ast.Tuple, ast.Constant, ast.Name, ast.UnaryOp, ast.USub, ast.Load)
    parts = list(ast.walk(last.value))
    read = {node.id for node in parts if isinstance(node, ast.Name)}
    if not all(isinstance(node, plain) for node in parts) or read & stored([loop]):
        return None
    for block in blocks(loop):
        for position, node in enumerate(block):
            if isinstance(node, ast.Return):
                end = ast.copy_location(ast.Break(), node)
                block[position:] = [*_given(node, names), end]
                break
    return [*_given(last, names), loop]


def _returns(block: Sequence[ast.stmt]) -> bool:
    """Whether a block always ends in a return."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, ast.If):
        return _returns(last.body) and _returns(last.orelse)
    return isinstance(last, ast.Return)


def _given(node: ast.Return, names: Sequence[str]) -> list[ast.stmt]:
    assert node.value is not None
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    pairs = zip(names, values, strict=True)
    return [assigned(name, value, node) for name, value in pairs]


Loop = ast.For | ast.While


@dataclass(frozen=True, slots=True)
class Returned:
    """What a loop returns at its first hit, under names of its own.

    Attributes
    ----------
    statement : ast.Return
        The first of the user's.
    names : tuple of str
        What gets the parts of the result; for a constant, what tells that it is returned.
    packed : bool
        The result is a tuple.
    constant : str
        Python text of the result, where it is the same wherever the loop returns.
    """

    statement: ast.Return
    names: tuple[str, ...]
    packed: bool = False
    constant: str = ""


def returned(loop: Loop, fresh: Fresh) -> Returned | None:
    """Write what a loop returns as assignments, in place.

    ``return False``, wherever it stands, sets a flag: running on changes nothing that anybody
    sees, where the loop stores nothing. ``return x[i]`` at the end of the body assigns, and a
    ``break`` follows. What is neither stays, and so does a loop in which something else is.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    fresh : Fresh
    """
    found = [node for node in walk([loop]) if isinstance(node, ast.Return)]
    if not found or not isinstance(loop, ast.For):
        return None
    constants = {_constant(node.value) for node in found}
    if len(constants) == 1 and None not in constants:
        return _as_flag(loop, found, fresh)
    return _as_break(loop, found[0], fresh) if len(found) == 1 else None


def _constant(node: ast.expr | None) -> str | None:
    """Python text of a literal."""
    if node is None:
        return "None"
    if isinstance(node, ast.Tuple):
        return ast.unparse(node) if None not in map(_constant, node.elts) else None
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return ast.unparse(node) if isinstance(inner, ast.Constant) else None


def _as_flag(loop: ast.For, found: Sequence[ast.Return], fresh: Fresh) -> Returned | None:
    if any(isinstance(node, ast.While) for node in walk([loop])):
        return None  # the `return` may be what ends it
    name = fresh.exactly("found")
    for block in blocks(loop):
        for position, node in enumerate(block):
            if isinstance(node, ast.Return):
                block[position : position + 1] = [assigned(name, ast.Constant(True), node)]
    return Returned(found[0], (name,), constant=_constant(found[0].value) or "")


def _as_break(loop: ast.For, node: ast.Return, fresh: Fresh) -> Returned | None:
    block: list[ast.stmt] = loop.body
    while isinstance(block[-1], ast.If) and not block[-1].orelse:
        block = block[-1].body
    if block is loop.body or block[-1] is not node or node.value is None:
        return None
    packed = isinstance(node.value, ast.Tuple)
    values = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
    names = tuple(fresh.name("returned") for _ in values)
    pairs = zip(names, values, strict=True)
    end = ast.copy_location(ast.Break(), node)
    block[-1:] = [*(assigned(name, value, node) for name, value in pairs), end]
    return Returned(node, names, packed)
