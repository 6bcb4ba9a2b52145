"""Loops that count by hand: ``i = 0``, ``while i < n: ...; i += 1``."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from gpuport.source.syntax import walk


def counted(around: ast.AST, node: ast.While) -> ast.For | None:
    """The loop ``for i in range(n)`` that does the same; None where there is none.

    Parameters
    ----------
    around : ast.AST
        The function or module.
    node : ast.While
    """
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    name, stop = test.left, test.comparators[0]
    if isinstance(test.ops[0], ast.Gt):
        name, stop = stop, name
    elif not isinstance(test.ops[0], ast.Lt):
        return None
    if not isinstance(name, ast.Name) or not _is_step(node.body[-1], name.id):
        return None
    body = node.body[:-1]
    changed = _bound(body)
    read = {part.id for part in walk(stop) if isinstance(part, ast.Name)}
    leaves = any(isinstance(part, (ast.Continue, ast.Break)) for one in body for part in walk(one))
    if not body or name.id in changed or changed & read or name.id in read or leaves:
        return None
    if not _begins_at_zero(around, node, name.id):
        return None
    call = ast.Call(ast.copy_location(ast.Name("range", ast.Load()), test), [stop], [])
    target = ast.copy_location(ast.Name(name.id, ast.Store()), name)
    return ast.copy_location(ast.For(target, ast.copy_location(call, test), body, []), node)


def carried(node: ast.While) -> str | None:
    """A name that each trip of a loop reads as the one before it has left it; None without one.

    Numbers that are counted on are none: ``k += 1`` tells how often the loop has run.
    """
    steps = {
        one.target.id for one in node.body
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        and isinstance(one.value, ast.Constant)
    }  # fmt: skip
    return next((name for name in left_over(node.body) if name not in steps), None)


def left_over(body: Sequence[ast.stmt]) -> list[str]:
    """Names that an iteration binds, and reads before that, as the one before it has left them."""
    anew = _bound(body)
    return list(dict.fromkeys(name for name in _read_first(body, set()) if name in anew))


def _read_first(statements: Sequence[ast.stmt], bound: set[str]) -> Iterator[str]:
    """Names that some statements read before they bind them, in this order."""
    for one in statements:
        blocks = [block for block in (getattr(one, name, ()) for name in _BLOCKS) if block]
        within = {id(part) for block in blocks for inner in block for part in walk(inner)}
        own = [part for part in walk(one) if isinstance(part, ast.Name) and id(part) not in within]
        read = {part.id: None for part in own if isinstance(part.ctx, ast.Load)}
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            read[one.target.id] = None
        yield from (name for name in read if name not in bound)
        heads = {part.id for part in own if not isinstance(part.ctx, ast.Load)}
        for block in blocks:
            yield from _read_first(block, bound | heads)
        bound |= heads


_BLOCKS = ("body", "orelse", "finalbody")


def _is_step(node: ast.stmt, name: str) -> bool:
    """Whether this is ``i += 1`` or ``i = i + 1``."""
    if isinstance(node, ast.AugAssign):
        return ast.unparse(node) == f"{name} += 1"
    return isinstance(node, ast.Assign) and ast.unparse(node) in (
        f"{name} = {name} + 1", f"{name} = 1 + {name}",
    )  # fmt: skip


def _bound(statements: Sequence[ast.stmt]) -> set[str]:
    return {
        part.id for one in statements for part in walk(one)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }  # fmt: skip


def _begins_at_zero(around: ast.AST, node: ast.While, name: str) -> bool:
    """Whether ``i = 0`` is the last that is done with it before, in the same block."""
    for block in _blocks(around):
        places = [place for place, one in enumerate(block) if one is node]
        for one in reversed(block[: places[0]] if places else ()):
            if name in _bound([one]):
                return ast.unparse(one) == f"{name} = 0"
    return False


def _blocks(around: ast.AST) -> Iterator[list[ast.stmt]]:
    for part in walk(around):
        for _, value in ast.iter_fields(part):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield value
