"""An extreme that iterations keep in one element together: ``if v < low[k]: low[k] = v``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from gpuport.loops.names import dotted, walk
from gpuport.parallel.cuda.rules import functions

_SIGNS: dict[type[ast.cmpop], bool] = {
    ast.Lt: False, ast.LtE: False, ast.Gt: True, ast.GtE: True,
}  # fmt: skip
_BY_COMPARISON = {False: "builtins.min", True: "builtins.max"}


@dataclass(frozen=True)
class ElementExtreme:
    """A statement that keeps the smaller, or the larger, of an element and a value.

    Attributes
    ----------
    function : str
        Resolved name of the function that does the same, the element first.
    target, read : ast.Subscript
        The element as it is set, and as it is read.
    values : tuple of ast.expr
        The value, wherever it is written; the last is what is stored.
    first : bool
        Whether of two that compare as equal, or not at all, the element stays.
    """

    function: str
    target: ast.Subscript
    read: ast.Subscript
    values: tuple[ast.expr, ...]
    first: bool = True


def element_extreme(
    node: ast.stmt, path: Callable[[ast.expr], str | None]
) -> ElementExtreme | None:
    """The extreme that a statement keeps in an element; None for any other statement.

    Parameters
    ----------
    node : ast.stmt
        In plain form.
    path : callable
        Gives the resolved name of a called function.
    """
    if isinstance(node, ast.If):
        found = _compared(node)
    elif isinstance(node, ast.Assign):
        found = _called(node, path)
    else:
        return None
    if found is None:
        return None
    array = dotted(found.target.value)
    reads = [n for n in walk([*found.values, found.target.slice]) if isinstance(n, ast.Subscript)]
    return None if array is None or any(dotted(n.value) == array for n in reads) else found


def _compared(node: ast.If) -> ElementExtreme | None:
    """``if v < low[k]: low[k] = v``."""
    test = node.test
    if node.orelse or len(node.body) != 1 or not isinstance(test, ast.Compare):
        return None
    (inner,) = node.body
    if len(test.ops) != 1 or not isinstance(inner, ast.Assign):
        return None
    target, larger = inner.targets[0], _SIGNS.get(type(test.ops[0]))
    if larger is None or not isinstance(target, ast.Subscript):
        return None
    value, read = test.left, test.comparators[0]
    if not _same(read, target):
        value, read, larger = read, value, not larger
    if not _same(read, target) or not _same(value, inner.value):
        return None
    assert isinstance(read, ast.Subscript)
    return ElementExtreme(_BY_COMPARISON[larger], target, read, (value, inner.value))


def _called(node: ast.Assign, path: Callable[[ast.expr], str | None]) -> ElementExtreme | None:
    """``low[k] = min(low[k], v)``."""
    target, call = node.targets[0], node.value
    if not isinstance(target, ast.Subscript) or not isinstance(call, ast.Call):
        return None
    name = path(call.func)
    if (
        name is None
        or name not in functions().atomic_extremes
        or len(call.args) != 2
        or call.keywords
    ):
        return None
    read, value = call.args
    first = _same(read, target)
    if not first:
        read, value = value, read
    if not isinstance(read, ast.Subscript) or not _same(read, target):
        return None
    return ElementExtreme(name, target, read, (value,), first)


def _same(one: ast.expr, other: ast.expr) -> bool:
    """Whether two expressions say the same, be it set or read."""
    return ast.unparse(one) == ast.unparse(other)
