"""Conditions of comprehensions that Python decides without the items' values: shapes, keys."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.batch.records import FORM, Comprehension, Refused
from gpuport.batch.scope import Scope

_SHAPES = frozenset({"shape", "ndim", "size"})

_PLAIN = (
    ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Constant, ast.Tuple,
    ast.cmpop, ast.boolop, ast.unaryop, ast.operator, ast.expr_context,
)  # fmt: skip


def chosen_items(scope: Scope, node: Comprehension) -> str:
    """``[m for m in matrices if m.shape[0] > 2]``: the items that the stacks are made of.

    Raises
    ------
    Refused
        Where a condition asks for more than sizes and keys: that is not known of a stack.
    """
    generator = node.generators[0]
    named = [one.id for one in ast.walk(generator.target) if isinstance(one, ast.Name)]
    variables = [name for several in scope.variables.values() for name in several]
    if not set(variables) <= set(named):
        raise Refused(FORM, node, "unsupported syntax: a condition decides for each item")
    ask_for_sizes_only(generator.ifs, set(variables))
    return filtered(scope, node, variables[0] if len(variables) == 1 else _tuple(variables))


def filtered(scope: Scope, node: Comprehension, element: str) -> str:
    """A list of something of each item for which the conditions hold."""
    generator, segment = node.generators[0], scope.source.segment
    conditions = "".join(f" if {segment(one)}" for one in generator.ifs)
    # Without parentheses, which stand outside of what a tuple's text is.
    targets = segment(generator.target)
    return f"[{element} for {targets} in {segment(generator.iter)}{conditions}]"


def ask_for_sizes_only(conditions: Sequence[ast.expr], items: set[str]) -> None:
    """Refuse conditions that read the items, or call anything that may have an effect.

    Raises
    ------
    Refused
    """
    for condition in conditions:
        if not _of_sizes(condition, items):
            message = "unsupported syntax: a condition decides for each item"
            raise Refused(FORM, condition, message)


def _of_sizes(node: ast.AST, items: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id not in items
    if isinstance(node, ast.Attribute):
        return node.attr in _SHAPES and isinstance(node.value, ast.Name)
    if isinstance(node, ast.Subscript):
        return _of_sizes(node.value, items) and _of_sizes(node.slice, items)
    if isinstance(node, ast.Call):
        of_length = isinstance(node.func, ast.Name) and node.func.id == "len" and not node.keywords
        return of_length and all(
            isinstance(one, ast.Name) or _of_sizes(one, items) for one in node.args
        )
    return isinstance(node, _PLAIN) and all(
        _of_sizes(child, items) for child in ast.iter_child_nodes(node)
    )


def _tuple(names: Sequence[str]) -> str:
    return f"({', '.join(names)})"
