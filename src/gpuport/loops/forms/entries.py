"""Entries of dictionaries and tuples in a loop, ``p["dt"]``, as numbers named by their text."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from gpuport.loops.facts import Fact, ScalarFact


def entries_named(node: ast.AST, facts: Mapping[str, Fact]) -> Any:
    """Put a name that reads as the entry in the place of each entry that is known as a number.

    Parameters
    ----------
    node : AST
        A copy, which is changed.
    facts : mapping of str to Fact
        Of entries by their text.
    """
    return _Entries(facts).visit(node)


def entry_text(node: ast.AST) -> str | None:
    """The text of ``p["dt"]``; None for anything else."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return None
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return ast.unparse(node) if isinstance(key, str) else None


def item_text(node: ast.AST) -> str | None:
    """The text of ``box.shape[0]``, which may be an item of a tuple; None for anything else."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return None
    place = node.slice.value if isinstance(node.slice, ast.Constant) else None
    return ast.unparse(node) if type(place) is int else None


class _Entries(ast.NodeTransformer):
    def __init__(self, facts: Mapping[str, Fact]) -> None:
        self.facts = facts

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        text = entry_text(node) or item_text(node)
        if text is not None and isinstance(self.facts.get(text), ScalarFact):
            return ast.copy_location(ast.Name(text, ast.Load()), node)
        return self.generic_visit(node)
