"""Items under keys and at places that are written out: ``bus["p"]``, ``weights[0]``."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from keyword import iskeyword

from gpuport.source.syntax import children

_PERHAPS = (
    ast.If, ast.IfExp, ast.BoolOp, ast.While, ast.Try, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.Lambda, ast.FunctionDef, ast.ClassDef,
)  # fmt: skip
"""What may leave out a part of itself."""
Item = tuple[str, str | int]
"""The name of what holds an item, and its key or place."""
_LEAVING = (ast.Break, ast.Continue, ast.Return)


def constant_key(node: ast.AST) -> str | int | None:
    """The key in ``x["key"]`` or the place in ``x[0]`` and ``x[-1]``; None of anything else."""
    index = node.slice if isinstance(node, ast.Subscript) else None
    below = isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
    constant = index.operand if isinstance(index, ast.UnaryOp) and below else index
    value = constant.value if isinstance(constant, ast.Constant) else None
    if type(value) is int:
        return -value if below else value
    return value if isinstance(value, str) and not below else None


def free_name(node: ast.Subscript) -> str:
    """A name for such an item: that of its key, or of what holds it and the place."""
    key, holder = constant_key(node), getattr(node.value, "id", "item")
    if isinstance(key, str) and key.isidentifier():
        return key if key != "_" and not iskeyword(key) else f"{holder}_{key}"
    place = str(key).replace("-", "last_") if isinstance(key, int) else "item"
    return f"{holder}_{place}"


def item_of(node: ast.AST) -> Item | None:
    """The name and the key in ``name["key"]`` and ``name[0]``; None of anything else."""
    key = constant_key(node)
    name = node.value if isinstance(node, ast.Subscript) else None
    return (name.id, key) if key is not None and isinstance(name, ast.Name) else None


def always_read(function: ast.FunctionDef) -> set[Item]:
    """The items that a function reads in any case; its loops are taken to have trips."""
    return set(filter(None, map(item_of, _evaluated(function.body))))


def _evaluated(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """What is evaluated for certain where these are, one after the other."""
    for node in nodes:
        yield node
        if isinstance(node, ast.If):
            yield from _evaluated([node.test])
            if any(isinstance(part, _LEAVING) for part in ast.walk(node)):
                return  # what follows may be left out
        elif isinstance(node, ast.IfExp):
            yield from _evaluated([node.test])
        elif isinstance(node, ast.BoolOp):
            yield from _evaluated(node.values[:1])
        elif not isinstance(node, _PERHAPS):
            yield from _evaluated(children(node))


__all__ = ["Item", "always_read", "constant_key", "free_name", "item_of"]
