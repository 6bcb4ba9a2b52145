"""New statements and expressions, at the place of those that they stand for."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TypeVar

from gpuport.source.syntax import copied, walk

Made = TypeVar("Made", bound=ast.AST)


def placed(made: Made, where: ast.AST) -> Made:
    """A new node at the place of another one."""
    return ast.fix_missing_locations(ast.copy_location(made, where))


def read(name: str) -> ast.Name:
    """The value of a name."""
    return ast.Name(name, ast.Load())


def assigned(name: str, value: ast.expr, where: ast.AST) -> ast.Assign:
    """``name = value`` at the place of a node."""
    return stored(ast.Name(name, ast.Store()), value, where)


def stored(target: ast.expr, value: ast.expr, where: ast.AST) -> ast.Assign:
    """``target = value`` at the place of a node."""
    return placed(ast.Assign([target], value), where)


def counted(name: str, end: str, body: list[ast.stmt], where: ast.AST) -> ast.For:
    """``for name in range(end):`` at the place of a node."""
    run = ast.parse(f"range({end})", mode="eval").body
    for part in walk(run):
        ast.copy_location(part, where)
    return placed(ast.For(ast.Name(name, ast.Store()), run, body, [], None), where)


def where_true(test: ast.expr, body: ast.stmt, where: ast.AST) -> ast.If:
    """``if test:`` at the place of a node."""
    return placed(ast.If(test, [body], []), where)


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


__all__ = [
    "Standing",
    "assigned",
    "counted",
    "placed",
    "read",
    "statements",
    "stored",
    "where_true",
]
