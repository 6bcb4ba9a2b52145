"""New statements and expressions, at the place of those that they stand for."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.source.syntax import copied, walk


def assigned(name: str, value: ast.expr, where: ast.AST) -> ast.Assign:
    """``name = value`` at the place of a node."""
    made = ast.Assign([ast.Name(name, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(made, where))


def statements(text: str, where: ast.AST) -> list[ast.stmt]:
    """The statements of a text, all of them at the place of a node."""
    made = ast.parse(text).body
    for one in made:
        for part in walk(one):
            ast.copy_location(part, where)
    return made


class Standing(ast.NodeTransformer):
    """Puts copies of expressions in the place of the names that stand for them."""

    def __init__(self, given: Mapping[str, ast.expr]) -> None:
        self.given = given

    def visit_Name(self, node: ast.Name) -> ast.AST:
        value = self.given.get(node.id)
        if value is None:
            return node
        made = copied(value)
        if isinstance(made, ast.Name | ast.Subscript | ast.Attribute):
            made.ctx = node.ctx
        return ast.copy_location(made, node)


__all__ = ["Standing", "assigned", "statements"]
