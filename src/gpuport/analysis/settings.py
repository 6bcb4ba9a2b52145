"""Objects that hold the numbers of a program: dataclasses whose fields are annotated as numbers.

Such an annotation is believed as that of a parameter is: ``case.dx`` is a float where ``case`` is a
``Case`` and its field says so. Fields that the module writes to are left out.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.values import Instance, Scalar
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.source.names import Scope

_PLAIN = frozenset({"int", "float", "bool", "complex", "str"})
_MAKERS = ("dataclasses.dataclass", "typing.NamedTuple")

Settings = dict[str, dict[str, Scalar]]
"""By the name of the class: its fields that are numbers or texts."""


def settings_of(root: Scope) -> Settings:
    """The classes of a module that hold numbers, with those of their fields."""
    found: Settings = {}
    for name, node in root.classes.items():
        if root.bound.get(name) == 1 and _is_record(root, node):
            found[name] = {
                statement.target.id: Scalar(statement.annotation.id)
                for statement in node.body
                if isinstance(statement, ast.AnnAssign)
                and isinstance(statement.target, ast.Name)
                and isinstance(statement.annotation, ast.Name)
                and statement.annotation.id in _PLAIN
            }
    if any(found.values()):
        written = {
            node.attr for node in walk(root.node)
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        }  # fmt: skip
        found = {
            name: {field: value for field, value in fields.items() if field not in written}
            for name, fields in found.items()
        }
    return found


def annotated_setting(annotation: ast.expr | None, settings: Settings) -> Instance | None:
    """What ``case: Case`` says."""
    word: object = None
    if isinstance(annotation, ast.Name):
        word = annotation.id
    elif isinstance(annotation, ast.Constant):
        word = annotation.value
    return Instance(word) if isinstance(word, str) and word in settings else None


def _is_record(root: Scope, node: ast.ClassDef) -> bool:
    for decorator in node.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        if root.resolve(head) in _MAKERS:
            return True
    return any(root.resolve(base) in _MAKERS for base in node.bases)


__all__ = ["Settings", "annotated_setting", "settings_of"]
