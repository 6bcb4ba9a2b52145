"""Names of a module that stand for constants: what is read from them can never be changed."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Container

from gpuport.source.syntax import Kinds

Bound = tuple[tuple[str, ...], ast.expr]
"""The names that something binds, and what it binds them to."""


def settings(kinds: Kinds, bound: list[Bound]) -> set[tuple[str, object]]:
    """Names and keys of dicts that hold a number, a text or None under the key, never a list.

    Each is bound once, to a display, and nothing is stored in it by that name.
    """
    displays = [node for node in kinds[ast.Assign] if isinstance(node.value, ast.Dict)]
    if not displays:
        return set()
    times = Counter(name for targets, _ in bound for name in targets)
    return {
        (target.id, key.value)
        for node in displays for target in node.targets
        if isinstance(target, ast.Name) and times[target.id] == 1
        for key, value in zip(node.value.keys, node.value.values, strict=True)
        if isinstance(key, ast.Constant) and _is_plain(value)
    }  # fmt: skip


def constants(kinds: Kinds, bound: list[Bound]) -> set[str]:
    """Names of lists, tuples and dicts of which all items are numbers, texts, None or tuples.

    Each is bound once, to a display: what is read from it has nothing that could be changed.
    """
    times = Counter(name for targets, _ in bound for name in targets)
    return {
        target.id
        for node in (*kinds[ast.Assign], *kinds[ast.AnnAssign])
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and times[target.id] == 1
        if isinstance(node.value, (ast.Dict, ast.List, ast.Tuple))
        and None not in getattr(node.value, "keys", ()) and all(map(_is_plain, _items(node.value)))
    }  # fmt: skip


def holders_of(node: ast.expr, builtins: Container[str]) -> frozenset[str] | None:
    """The names of which ``name[...]``, ``*name`` and ``*enumerate(name)`` give items.

    None for any other expression. ``builtins``: the functions that hand items on, by their names.
    """
    if not isinstance(node, (ast.Subscript, ast.Starred)):
        return None
    held = node.value
    if isinstance(held, ast.Name):
        return frozenset((held.id,))
    if isinstance(held, ast.Subscript):
        return holders_of(held, builtins)
    if not isinstance(held, ast.Call):
        return None
    function, given = held.func, [one for one in held.args if not isinstance(one, ast.Constant)]
    if isinstance(function, ast.Attribute) and function.attr in _VIEWS and not held.args:
        given = [function.value]
    elif not isinstance(function, ast.Name) or function.id not in builtins or held.keywords:
        return None
    parts = [holders_of(ast.Starred(one, ast.Load()), builtins) for one in given]
    known = [part for part in parts if part is not None]
    return frozenset().union(*known) if known and len(known) == len(parts) else None


_VIEWS = frozenset(("items", "keys", "values"))


def _items(display: ast.Dict | ast.List | ast.Tuple) -> list[ast.expr]:
    return display.values if isinstance(display, ast.Dict) else display.elts


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(map(_is_plain, node.elts))
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


def read_as(node: ast.expr) -> tuple[str, object] | None:
    """The name and the key in ``name["key"]``."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return node.value.id, getattr(node.slice, "value", None)
    return None


__all__ = ["Bound", "constants", "holders_of", "read_as", "settings"]
