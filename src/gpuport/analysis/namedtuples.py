"""Named tuples that a module defines."""

from __future__ import annotations

import ast

from gpuport.analysis.calls import has_star
from gpuport.analysis.unit import Unit

_MAKERS = frozenset({"collections.namedtuple", "typing.NamedTuple"})


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
        return plain and [root.resolve(b) for b in defined.bases] == ["typing.NamedTuple"]
    return isinstance(made, ast.Call) and root.resolve(made.func) in _MAKERS


__all__ = ["makes_named_tuple"]
