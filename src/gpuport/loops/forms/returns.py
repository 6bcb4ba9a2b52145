"""Loops that a ``return`` ends, as loops that end at their first hit."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.names import Fresh, blocks, walk
from gpuport.source.making import assigned

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
