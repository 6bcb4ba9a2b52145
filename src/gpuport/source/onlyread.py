"""Parameters of which a function takes items alone: what they are given stays as it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.source.names import Scope
from gpuport.source.syntax import walk

_READING = frozenset({"items", "keys", "values", "get", "copy", "index", "count"})
"""Methods of lists and dicts that give what these hold, and change nothing."""

_BUILTINS = frozenset(
    f"builtins.{name}" for name in (
        "all", "any", "dict", "enumerate", "len", "list", "max", "min", "print", "reversed",
        "set", "sorted", "sum", "tuple", "zip",
    )
)  # fmt: skip
"""Builtins that go over what they are given, and keep nothing of it but its items."""


def only_reads(scope: Scope, name: str) -> bool:
    """Whether a function looks at what a list or dict holds, and neither changes nor hands it on.

    Parameters
    ----------
    scope : Scope
        Of the function.
    name : str
        One of its parameters.
    """
    nodes = walk(scope.node)
    fine = {id(one) for node in nodes for one in _looked_at(scope, node)}
    return all(
        isinstance(node.ctx, ast.Store) or id(node) in fine
        for node in nodes if isinstance(node, ast.Name) and node.id == name
    ) and not any(
        isinstance(node, ast.AugAssign) and getattr(node.target, "id", None) == name
        for node in nodes
    )  # fmt: skip


def _looked_at(scope: Scope, node: ast.AST) -> Iterator[ast.expr]:
    """The lists and dicts of which a node takes items."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
        yield node.value
    elif isinstance(node, ast.For | ast.comprehension):
        yield node.iter
    elif isinstance(node, ast.FormattedValue | ast.Starred):
        yield node.value
    elif isinstance(node, ast.Compare):
        asked = (ast.In, ast.NotIn)
        pairs = zip(node.ops, node.comparators, strict=True)
        yield from (one for op, one in pairs if isinstance(op, asked))
    elif isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _READING:
            yield node.func.value
        if scope.resolve(node.func) in _BUILTINS:
            yield from node.args
        yield from (one.value for one in node.keywords if one.arg is None)


__all__ = ["only_reads"]
