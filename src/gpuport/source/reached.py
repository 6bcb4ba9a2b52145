"""Elements of arrays that only some ways through statements reach."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from gpuport.source.syntax import children, walk


def reached_by_index(body: Sequence[ast.stmt], elements: Iterable[ast.Subscript]) -> list[bool]:
    """Of each element, whether it is reached under a condition on what its index is made of.

    Parameters
    ----------
    body : sequence of ast.stmt
    elements : iterable of ast.Subscript
        Of the body.
    """
    every = _all(body)
    asked = _made_of(every, {name for node in every for name in _plain_names(_test_of(node))})
    leaves = any(isinstance(node, ast.Continue | ast.Break) for node in every)
    within = {id(part) for node in every if _test_of(node) is not None for part in walk(node)}
    return [
        not asked.isdisjoint(_plain_names(one.slice)) and (leaves or id(one) in within)
        for one in elements
    ]


def _all(body: Sequence[ast.stmt]) -> list[ast.AST]:
    return [node for one in body for node in walk(one)]


def _test_of(node: ast.AST) -> ast.expr | None:
    if isinstance(node, ast.BoolOp):
        return node
    return node.test if isinstance(node, ast.If | ast.IfExp | ast.While) else None


def _made_of(every: Sequence[ast.AST], names: set[str]) -> set[str]:
    """Names, and those that statements make them of; elements of arrays restrict no index."""
    found: set[str] = set()
    pending = set(names)
    while pending:
        name = pending.pop()
        found.add(name)
        for node in every:
            if isinstance(node, ast.Assign | ast.AugAssign) and name in _set_by(node):
                pending |= _plain_names(node.value) - found
    return found


def _set_by(node: ast.AST) -> set[str]:
    return {
        part.id for part in walk(node)
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)
    }  # fmt: skip


def _plain_names(node: ast.AST | None) -> set[str]:
    if node is None or isinstance(node, ast.Subscript):
        return set()
    if isinstance(node, ast.Name):
        return {node.id}
    return {name for child in children(node) for name in _plain_names(child)}


__all__ = ["reached_by_index"]
