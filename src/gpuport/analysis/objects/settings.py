"""Objects that hold the numbers of a program: dataclasses whose fields are annotated as numbers.

Such an annotation is believed as that of a parameter is: ``case.dx`` is a float where ``case`` is a
``Case`` and its field says so. Fields that the module writes to are left out. A property that is
annotated as a number is read as a field is, and so are the options of a command line.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.values.lattice import Instance, Scalar
from gpuport.analysis.values.options import NAMESPACE, options_of
from gpuport.source.names import overloads
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.project.callgraph import Project
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
        others = _own_of_others(root, found)
        written = {
            node.attr for node in walk(root.node)
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
            and id(node.value) not in others
        }  # fmt: skip
        found = {
            name: {field: value for field, value in fields.items() if field not in written}
            for name, fields in found.items()
        }
    return found


def _own_of_others(root: Scope, records: Collection[str]) -> set[int]:
    """Where methods read ``self``, by ids, in classes that no record is made of, or made of one."""
    related = set(records)
    known = -1
    while known < len(related):
        known = len(related)
        for name, node in root.classes.items():
            bases = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if name in related or bases & related:
                related |= {name, *bases}
    found: set[int] = set()
    for scope in root.children:
        if isinstance(scope.node, ast.ClassDef) and scope.name not in related:
            for method in scope.children:
                found.update(map(id, _of_instance(method)))
    return found


def _of_instance(method: Scope) -> Iterator[ast.Name]:
    """The names in a method that stand for the instance it is called with."""
    node = method.node
    if not isinstance(node, ast.FunctionDef) or node.decorator_list or not node.args.args:
        return
    first = node.args.args[0].arg
    if method.bound.get(first) == 1 and not any(one.binds(first) for one in method.children):
        yield from (n for n in walk(node) if isinstance(n, ast.Name) and n.id == first)


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


def annotated_setting(project: Project, annotation: ast.expr | None) -> Instance | None:
    """What ``case: Case`` says, where ``Case`` is a class of this module or of another one.

    ``rng: np.random.Generator`` and ``ax: plt.Axes`` name classes that the rules know.
    """
    word: object = None
    if isinstance(annotation, ast.Name):
        word = annotation.id
    elif isinstance(annotation, ast.Constant):
        word = annotation.value
    if isinstance(word, str) and word in project.settings:
        return Instance(word)
    if isinstance(annotation, ast.Constant) and str(annotation.value).isidentifier():
        annotation = ast.Name(str(annotation.value), ast.Load())
    path = project.root.resolve(annotation) if annotation is not None else None
    if path is None:
        return None
    rule = project.knowledge.rules.host(path)
    made = rule.returns if rule is not None and rule.returns is not None else ""
    if made.startswith("instance:"):
        return Instance(made.removeprefix("instance:"))
    known = project.outside is not None and bool(project.outside.fields(path))
    return Instance(path) if known else None


def fields_of(project: Project, name: str) -> dict[str, Scalar]:
    """Fields of a class, of this module or another one, that are numbers."""
    if name in project.settings or project.outside is None or "." not in name:
        return project.settings.get(name, {})
    return project.outside.fields(name)


def makes_setting(unit: Unit, name: str) -> bool:
    """Whether a call of a name makes an object that holds numbers, or has operators."""
    project = unit.project
    if name in unit.env or name not in project.root.classes:
        return False
    own = unit.scope.owner(name) is project.root
    return own and (bool(project.settings.get(name)) or overloads(project.root, name))


def _is_record(root: Scope, node: ast.ClassDef) -> bool:
    for decorator in node.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        if root.resolve(head) in _MAKERS:
            return True
    return any(root.resolve(base) in _MAKERS for base in node.bases)


__all__ = ["Settings", "annotated_setting", "fields_of", "makes_setting", "settings_of"]
