"""Python that stands as text in a decorator's arguments."""

from __future__ import annotations

import ast


def parsed(text: str, said: str, function: str) -> ast.expr:
    """An expression of the decorator's.

    Raises
    ------
    TypeError
        Where it is not Python.
    """
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as error:
        raise TypeError(f"{said} of {function} is not Python: {error.msg}") from None


def names_in(text: str) -> set[str]:
    """The names that an expression reads from outside."""
    nodes = list(ast.walk(ast.parse(text.strip(), mode="eval")))
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    own = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    return read - own


def conjuncts(text: str) -> list[str]:
    """The parts of a condition, split at its ``and``."""
    if not text:
        return []
    tree = ast.parse(text.strip(), mode="eval").body
    is_and = isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And)
    parts = tree.values if isinstance(tree, ast.BoolOp) and is_and else [tree]
    return [ast.unparse(part) for part in parts]
