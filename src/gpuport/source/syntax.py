"""Walking syntax trees, faster than the standard library does."""

from __future__ import annotations

import ast

_NO_NODES = frozenset(
    (
        "ctx", "op", "ops", "id", "attr", "arg", "name", "names", "level", "module", "asname",
        "kind", "type_comment", "type_ignores", "conversion", "is_async", "simple",
    )
)  # fmt: skip
"""Fields that hold no expression, statement or clause."""


_FIELDS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: (), ast.Name: ()}


def _fields(cls: type[ast.AST]) -> tuple[str, ...]:
    found = _FIELDS.get(cls)
    if found is None:
        found = _FIELDS[cls] = tuple(f for f in cls._fields if f not in _NO_NODES)
    return found


def children(node: ast.AST) -> list[ast.AST]:
    """The expressions, statements and clauses right below a node, in source order.

    As `ast.iter_child_nodes`, without operators, contexts and aliases of imports.
    """
    found: list[ast.AST] = []
    for field in _fields(node.__class__):
        value = getattr(node, field, None)
        if value.__class__ is list:
            found += [item for item in value if isinstance(item, ast.AST)]
        elif isinstance(value, ast.AST):
            found.append(value)
    return found
