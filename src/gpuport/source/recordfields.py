"""The fields of dataclasses and named tuples, and what a module writes of them, by syntax alone."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from gpuport.source.annotations import annotation
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

_PROPERTIES = (["builtins.property"], ["functools.cached_property"])
_MAKERS = ("dataclasses.dataclass", "typing.NamedTuple")


def annotated_fields(root: Scope) -> dict[str, dict[str, ast.expr]]:
    """The records of a module by their names, with what their fields are annotated as.

    A property is read as a field is.
    """
    return {
        name: dict(filter(None, (_field(root, statement) for statement in node.body)))
        for name, node in root.classes.items()
        if root.bound.get(name) == 1 and _is_record(root, node)
    }


def fields_written(root: Scope, records: Collection[str]) -> set[str]:
    """Names of attributes that a module binds, where that may be done to one of these records."""
    others = _own_of_others(root, records)
    return {
        node.attr for node in walk(root.node)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        and id(node.value) not in others
    }  # fmt: skip


def _field(root: Scope, statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """A field or property that is annotated, and how."""
    name, written = "", None
    made = [root.resolve(one) for one in getattr(statement, "decorator_list", ())]
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        name, written = statement.target.id, annotation(statement)
    elif isinstance(statement, ast.FunctionDef) and made in _PROPERTIES:
        name, written = statement.name, statement.returns
    return None if written is None else (name, written)


def _is_record(root: Scope, node: ast.ClassDef) -> bool:
    for decorator in node.decorator_list:
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        if root.resolve(head) in _MAKERS:
            return True
    return any(root.resolve(base) in _MAKERS for base in node.bases)


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


__all__ = ["annotated_fields", "fields_written"]
