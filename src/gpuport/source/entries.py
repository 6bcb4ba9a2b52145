"""What stands between the brackets of a subscript, axis by axis."""

from __future__ import annotations

import ast
from collections.abc import Sequence


def subscript_indices(node: ast.Subscript) -> list[ast.expr]:
    """The entries as they are written."""
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def filled_up(entries: Sequence[ast.expr], rank: int) -> list[ast.expr] | None:
    """As many entries as there are axes, whole ones in the place of ``...`` and at the end."""
    named = [one for one in entries if not _is_ellipsis(one)]
    if len(entries) - len(named) > 1 or len(named) > rank:
        return None
    rest: list[ast.expr] = [ast.Slice(None, None, None)] * (rank - len(named))
    at = next((k for k, one in enumerate(entries) if _is_ellipsis(one)), len(entries))
    spelt = [*entries[:at], *rest, *entries[at + 1 :]]
    return spelt if all(map(_is_plain, spelt)) else None


def is_whole(entry: ast.expr) -> bool:
    """Whether an entry, one of all elements of its axis or of a number, is the former."""
    return isinstance(entry, ast.Slice)


def _is_plain(entry: ast.expr) -> bool:
    if isinstance(entry, ast.Slice):
        return not (entry.lower or entry.upper or entry.step)
    number = not isinstance(entry, (ast.Constant, ast.List, ast.Starred))
    return number or (isinstance(entry, ast.Constant) and type(entry.value) is int)


def _is_ellipsis(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is ...


__all__ = ["filled_up", "is_whole", "subscript_indices"]
