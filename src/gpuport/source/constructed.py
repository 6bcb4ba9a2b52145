"""Which attributes are set where an object is made, and never again."""

from __future__ import annotations

import ast
from functools import lru_cache

from gpuport.source.syntax import children, dotted

_MAKERS = frozenset({"__init__", "__post_init__"})
_BY_TEXT = frozenset({"setattr", "delattr", "vars", "__dict__", "__setattr__"})
"""Names by which attributes are set that the text does not name."""


@lru_cache(maxsize=64)
def set_later(tree: ast.Module) -> frozenset[str] | None:
    """Attributes that the code of a file sets or deletes after an object has been made.

    Parameters
    ----------
    tree : ast.Module

    Returns
    -------
    frozenset of str or None
        None where any may be.
    """
    found: set[str] = set()
    todo: list[tuple[ast.AST, str]] = [(tree, "")]
    while todo:
        node, maker = todo.pop()
        if isinstance(node, ast.FunctionDef):
            first = node.args.args[0].arg if node.args.args else ""
            maker = first if node.name in _MAKERS else ""
        name = getattr(node, "attr", None) or getattr(node, "id", None)
        if name in _BY_TEXT:
            return None
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found |= set() if maker and dotted(node.value) == maker else {node.attr}
        todo += [(child, maker) for child in children(node)]
    return frozenset(found)


__all__ = ["set_later"]
