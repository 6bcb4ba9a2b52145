"""The fields of dataclasses, and what they hold where nothing is given for them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.objects.classfacts import Field, opening
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project


def fields_of(project: Project, scope: Scope, node: ast.ClassDef) -> Iterator[Field]:
    """The fields of a dataclass, in the order of its ``__init__``."""
    for statement in node.body:
        if not isinstance(statement, ast.AnnAssign) or not isinstance(statement.target, ast.Name):
            continue
        if "ClassVar" in ast.dump(statement.annotation):
            continue
        value, given, default = statement.value, True, statement.value
        if isinstance(value, ast.Call) and scope.resolve(value.func) == "dataclasses.field":
            words = {k.arg: k.value for k in value.keywords}
            if set(words) - {"init", "default", "default_factory", "repr", "compare"}:
                raise opening(statement, "one of its fields is made in a way of its own")
            init = words.get("init")
            given = not (isinstance(init, ast.Constant) and init.value is False)
            factory = words.get("default_factory")
            default = words.get("default", _made(project, factory, statement) if factory else None)
        yield Field(statement.target.id, given, default)


def _made(project: Project, factory: ast.expr, statement: ast.stmt) -> ast.expr:
    """What ``default_factory=list``, or that of a class of the module, gives, as an expression."""
    if isinstance(factory, ast.Lambda) and not ast.unparse(factory.args):
        return factory.body
    known = ("list", "dict", *project.root.classes)
    if not isinstance(factory, ast.Name) or factory.id not in known:
        raise opening(statement, "one of its fields is made by a function of its own")
    return ast.copy_location(ast.Call(factory, [], []), factory)


def made_anew(statement: ast.AnnAssign) -> ast.expr | None:
    """What ``field(default_factory=lambda: ...)`` makes for each instance: told once for all."""
    for keyword in getattr(statement.value, "keywords", ()):
        if keyword.arg == "default_factory" and isinstance(keyword.value, ast.Lambda):
            return keyword.value.body
    return None


__all__ = ["fields_of", "made_anew"]
