"""Objects that hold the numbers of a program: dataclasses whose fields are annotated as numbers.

Such an annotation is believed as that of a parameter is: ``case.dx`` is a float where ``case`` is a
``Case`` and its field says so. Fields that the module writes to are left out. A property that is
annotated as a number is read as a field is, and so are the options of a command line.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.options import NAMESPACE, options_of
from gpuport.analysis.values import Instance, Scalar
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.source.names import Scope

_PLAIN = frozenset({"int", "float", "bool", "complex", "str"})
_PROPERTIES = (["builtins.property"], ["functools.cached_property"])
_MAKERS = ("dataclasses.dataclass", "typing.NamedTuple")

Settings = dict[str, dict[str, Scalar]]
"""By the name of the class: its fields that are numbers or texts."""


def settings_of(root: Scope) -> Settings:
    """The classes of a module that hold numbers, with those of their fields."""
    found: Settings = {}
    for name, node in root.classes.items():
        if root.bound.get(name) == 1 and _is_record(root, node):
            found[name] = dict(filter(None, (_field(root, part) for part in node.body)))
    options = options_of(root)
    if options:
        found[NAMESPACE] = options
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


def _field(root: Scope, statement: ast.stmt) -> tuple[str, Scalar] | None:
    """A field or property that is annotated as a number."""
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        name, annotation = statement.target.id, statement.annotation
    elif isinstance(statement, ast.FunctionDef) and statement.returns is not None:
        if [root.resolve(d) for d in statement.decorator_list] not in _PROPERTIES:
            return None
        name, annotation = statement.name, statement.returns
    else:
        return None
    word = annotation.value if isinstance(annotation, ast.Constant) else None
    word = annotation.id if isinstance(annotation, ast.Name) else word
    return (name, Scalar(word)) if isinstance(word, str) and word in _PLAIN else None


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
