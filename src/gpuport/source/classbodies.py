"""What the body of a class reads where it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.source.names import FunctionNode
from gpuport.source.syntax import walk


def names_read(node: ast.ClassDef) -> Iterator[ast.Name]:
    """The names that a class body reads, not those that its functions and classes read later."""
    for statement in node.body:
        parts: list[ast.AST] = [statement]
        if isinstance(statement, FunctionNode):
            arguments = statement.args
            parts = [*statement.decorator_list, *arguments.defaults]
            parts += [one for one in arguments.kw_defaults if one is not None]
        elif isinstance(statement, ast.ClassDef):
            parts = [*statement.decorator_list, *statement.bases]
        for part in parts:
            for one in walk(part):
                if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                    yield one


__all__ = ["names_read"]
