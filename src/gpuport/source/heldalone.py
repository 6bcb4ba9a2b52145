"""Arrays that are made right before a statement, and that nothing but one name holds."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeGuard

from gpuport.source.syntax import bound_in, walk

_SIZES = ("shape", "size", "ndim", "dtype")


def held_alone(
    function: ast.AST, statement: ast.stmt, name: str, makes: Callable[[ast.Call], bool]
) -> bool:
    """Whether a name holds an array that is made before a statement, and nothing else does.

    Parameters
    ----------
    function : ast.AST
        What the statement is in.
    statement : ast.stmt
    name : str
    makes : callable
        Whether a call makes an array that nothing holds.
    """
    block = _block_of(function, statement)
    for one in reversed(block[: block.index(statement)]):
        if not _mentions(one, name):
            continue
        if name in bound_in(one):
            return _is_given(one) and _is_made(one.value, makes)
        if not _only_computes(one, name):
            return False
    return False


def _block_of(function: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    for node in walk(function):
        for part in ("body", "orelse"):
            block = getattr(node, part, None)
            if isinstance(block, list) and any(one is statement for one in block):
                return block
    return [statement]


def _is_given(statement: ast.stmt) -> TypeGuard[ast.Assign]:
    """``name = ...`` and nothing more."""
    return (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
    )


def _is_made(value: ast.expr, makes: Callable[[ast.Call], bool]) -> bool:
    """Whether an expression makes an array that nothing else holds."""
    if isinstance(value, ast.Call):
        return makes(value)
    return isinstance(value, (ast.BinOp, ast.UnaryOp, ast.Compare))


def _only_computes(statement: ast.stmt, name: str) -> bool:
    """Whether a statement does no more with an array than compute with it, or ask for its size."""
    used = 0
    for node in walk(statement):
        parts: list[ast.expr] = []
        if isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.Attribute) and node.attr in _SIZES:
            parts = [node.value]
        used += sum(isinstance(one, ast.Name) and one.id == name for one in parts)
    return used == _mentions(statement, name)


def _mentions(statement: ast.stmt, name: str) -> int:
    return sum(isinstance(one, ast.Name) and one.id == name for one in walk(statement))


__all__ = ["held_alone"]
