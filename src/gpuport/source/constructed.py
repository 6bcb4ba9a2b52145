"""Which attributes, and items of dicts, are set where they are made, and never again."""

from __future__ import annotations

import ast
from functools import lru_cache

from gpuport.source.syntax import children, dotted

_MAKERS = frozenset({"__init__", "__post_init__"})
_BY_TEXT = frozenset({"setattr", "delattr", "vars", "__dict__", "__setattr__"})
"""Names by which attributes are set that the text does not name."""
_OF_ANY_KEY = frozenset({"update", "setdefault", "popitem", "clear", "__setitem__", "__delitem__"})
"""Methods that change items of dicts by keys that the text does not name."""


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


def item_key(node: ast.AST) -> str | None:
    """The key of an item by a literal, ``traffic["pos"]``; None for anything else."""
    index = node.slice if isinstance(node, ast.Subscript) else None
    key = index.value if isinstance(index, ast.Constant) else None
    return key if isinstance(key, str) else None


@lru_cache(maxsize=64)
def keys_set(tree: ast.Module) -> frozenset[str] | None:
    """Keys by which the code of a file sets or deletes items after a dict has been made.

    Parameters
    ----------
    tree : ast.Module

    Returns
    -------
    frozenset of str or None
        None where any may be. Items by keys that names hold, ``fields[name] = x``, are none of
        these: where they may be items of a dict, its keys are not told apart.
    """
    found: set[str] = set()
    for node in ast.walk(tree):
        if _sets_any(node):
            return None
        key = item_key(node)
        if key is not None and not isinstance(getattr(node, "ctx", None), ast.Load):
            found.add(key)
    return frozenset(found)


def _sets_any(node: ast.AST) -> bool:
    """Whether something may change an item of a dict whose key the text does not name."""
    if isinstance(node, ast.AugAssign):  # `fields |= {...}`
        return isinstance(node.op, ast.BitOr) and isinstance(node.value, ast.Dict | ast.Call)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    popped = node.func.attr == "pop" and bool(node.args)
    place = node.args[0] if popped else None  # of a list
    counted = isinstance(place, ast.Constant) and isinstance(place.value, int)
    return node.func.attr in _OF_ANY_KEY or (popped and not counted)


__all__ = ["item_key", "keys_set", "set_later"]
