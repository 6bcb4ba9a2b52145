"""Parentheses for operations that take the place of something that binds its parts closer.

``np.outer(u, v)`` is a call, ``u[:, :, None] * v[:, None]``, which stands for it in stacked code,
an operation: behind a sign of division it is none without parentheses.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import lru_cache

from gpuport.source.syntax import walk

_ATOM = 14
_ORDER: tuple[tuple[type[ast.AST], ...], ...] = (
    (ast.Lambda, ast.NamedExpr, ast.GeneratorExp),
    (ast.IfExp,),
    (ast.Or,),
    (ast.And,),
    (ast.Not,),
    (ast.Compare,),
    (ast.BitOr,),
    (ast.BitXor,),
    (ast.BitAnd,),
    (ast.LShift, ast.RShift),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.MatMult),
    (ast.USub, ast.UAdd, ast.Invert),
    (ast.Pow,),
)
"""Python's operations, those that bind their parts the least first."""

_PLACES = {kind: place for place, kinds in enumerate(_ORDER) for kind in kinds}
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


def binding(node: ast.expr) -> int:
    """How close an expression binds its parts; names, calls and brackets the closest."""
    operator = getattr(node, "op", node)
    return _PLACES.get(type(operator), _ATOM)


@lru_cache(maxsize=4096)
def binding_of(text: str) -> int:
    """Likewise of a text, which may have placeholders for names in it."""
    try:
        parsed = ast.parse(_PLACEHOLDER.sub(r"\1", text).strip(), mode="eval")
    except SyntaxError:  # no expression: a slice, a starred one
        return _ATOM
    return binding(parsed.body)


def enclosed(text: str, closest: int = _ATOM) -> str:
    """A text for a part of an operation, in parentheses where it binds its own parts less."""
    return f"({text})" if binding_of(text) < closest else text


def parts_of_operations(node: ast.AST, parts: Iterable[ast.AST]) -> set[int]:
    """Ids of those of some parts of a node that an operation has, a bracket or a point follows."""
    wanted = {id(part) for part in parts}
    return {
        id(child)
        for parent in walk(node)
        for child in _operands(parent)
        if id(child) in wanted
    }  # fmt: skip


def _operands(node: ast.AST) -> Iterable[ast.AST]:
    if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare)):
        return ast.iter_child_nodes(node)
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        return (node.value,)
    return (node.func,) if isinstance(node, ast.Call) else ()


__all__ = ["binding", "binding_of", "enclosed", "parts_of_operations"]
