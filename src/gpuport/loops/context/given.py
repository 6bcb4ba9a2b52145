"""Names that a loop gives one value, in one place."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from gpuport.loops.names import walk
from gpuport.source import syntax


def worked_in(node: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """An expression with the values of names in their place."""
    found = _Given(values).visit(syntax.copied(node))
    assert isinstance(found, ast.expr)
    return found


def given_once(loop: ast.stmt) -> dict[str, ast.expr]:
    """The values of names that a loop binds in one place only."""
    nodes = list(walk([loop]))
    bound = Counter(
        n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
    )
    pairs = [pair for node in nodes if isinstance(node, ast.Assign) for pair in _pairs(node)]
    return {name: value for name, value in pairs if bound[name] == 1}


def _pairs(node: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    targets, values = node.targets, [node.value]
    first = targets[0]
    if isinstance(first, ast.Tuple) and isinstance(node.value, ast.Tuple):
        targets, values = first.elts, node.value.elts
    if len(targets) == len(values):
        for target, value in zip(targets, values, strict=True):
            if isinstance(target, ast.Name):
                yield target.id, value


class _Given(ast.NodeTransformer):
    """Puts values in the place of names, and in that of the names in those."""

    def __init__(self, values: Mapping[str, ast.expr], depth: int = 4) -> None:
        self.values = values
        self.depth = depth

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.values.get(node.id)
        if value is None or not self.depth:
            return node
        found = _Given(self.values, self.depth - 1).visit(syntax.copied(value))
        assert isinstance(found, ast.expr)
        return found
