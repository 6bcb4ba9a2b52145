"""Named tuples that a module defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.source.names import Scope
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit

NAMED_TUPLE = "typing.NamedTuple"
_MAKERS = frozenset({"collections.namedtuple", NAMED_TUPLE})


def makes_named_tuple(unit: Unit, node: ast.Call) -> bool:
    """Whether a call makes a named tuple of the module of the values that it lists."""
    if not isinstance(node.func, ast.Name) or has_star(node):
        return False
    name, root = node.func.id, unit.project.root
    if name in unit.env or unit.scope.owner(name) is not root or root.bound.get(name) != 1:
        return False
    made, defined = root.choices.get(name), root.classes.get(name)
    if defined is not None:
        plain = not defined.decorator_list and not defined.keywords
        return plain and [root.resolve(b) for b in defined.bases] == [NAMED_TUPLE]
    return isinstance(made, ast.Call) and root.resolve(made.func) in _MAKERS


def made_tuples(root: Scope) -> Iterator[tuple[str, tuple[ast.Call, list[str]]]]:
    """``Pair = namedtuple("Pair", "first second")``: each name, the call and the fields."""
    for name, call in root.choices.items():
        if not isinstance(call, ast.Call) or root.bound.get(name) != 1 or name in root.imports:
            continue
        if root.resolve(call.func) not in _MAKERS or len(call.args) != 2 or call.keywords:
            continue  # defaults and renamed fields are not followed
        names = _fields(call.args[1])
        if names and isinstance(call.args[0], ast.Constant) and call.args[0].value == name:
            yield name, (call, names)


def _fields(node: ast.expr) -> list[str]:
    """The names of ``"x y"``, ``["x", "y"]`` or ``[("x", float), ("y", float)]``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.replace(",", " ").split()
    if not isinstance(node, (ast.List, ast.Tuple)):
        return []
    parts = [e.elts[0] if isinstance(e, ast.Tuple) and e.elts else e for e in node.elts]
    names = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return names if len(names) == len(parts) else []


__all__ = ["NAMED_TUPLE", "made_tuples", "makes_named_tuple"]
