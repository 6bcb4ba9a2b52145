"""What a function does arithmetic with, as its text shows: names, and attributes of names."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from enum import IntEnum

from gpuport.source.syntax import dotted, inside

_NEVER_OF_LISTS = (ast.Sub, ast.Div, ast.Pow, ast.MatMult, ast.FloorDiv)
"""Operators that lists and texts do not have."""
_ARITHMETIC = (*_NEVER_OF_LISTS, ast.Add, ast.Mult)


class Part(IntEnum):
    """How much of what a name stands for is an operand."""

    ALL = 0
    SLICE = 1
    SEVERAL_AXES = 2


def operands(function: ast.AST, of_arrays: Collection[str] = ()) -> dict[str, bool]:
    """Dotted names that arithmetic is done with, inner functions left out.

    Parameters
    ----------
    function : ast.AST
    of_arrays : collection of str
        Attributes that tell of an array where they are asked of a result.

    Returns
    -------
    dict of str to bool
        By the name, in the order of the text: whether it is done as with arrays alone. Numbers have
        no parts, lists no second axis and no product with a float: ``0.5 * (u[1:] + u[:-1])``,
        ``t[1:, 2:] + 1``, ``(u - v).sum()``, ``(u > v).mean()``, ``u[u > 0.0]``.
    """
    found: dict[str, bool] = {}
    for node in inside(function):
        values, least = _operation(node, of_arrays)
        for value in values:
            for name, part in _sources(value):
                found[name] = found.get(name, False) or part >= least
    return found


def _operation(node: ast.AST, of_arrays: Collection[str]) -> tuple[list[ast.expr], Part]:
    """The operands of an operation, and from which part on they are parts of arrays."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Compare):
        masks = dotted(node.value) in {name for name, _ in _sources(node.slice)}
        return ([node.value], Part.ALL) if masks else ([], Part.ALL)  # `x[x > 0.0]`
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.BinOp | ast.Compare):
        return ([node.value], Part.ALL) if node.attr in of_arrays else ([], Part.ALL)
    least = Part.SLICE if _is_never_of_lists(node) else Part.SEVERAL_AXES
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ARITHMETIC):
        values = [node.left, node.right]
    elif isinstance(node, ast.AugAssign) and isinstance(node.op, _ARITHMETIC):
        values = [node.target, node.value]
    elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp):
        least = Part.SLICE if _is_never_of_lists(node.value) else Part.SEVERAL_AXES
        values = [target for target in node.targets if isinstance(target, ast.Subscript)]
    else:
        values = []
    return ([] if any(map(_is_text, values)) else values), least


def _sources(node: ast.expr) -> Iterator[tuple[str, Part]]:
    """Names that a value is computed of by operators, and how much of each."""
    if isinstance(node, ast.UnaryOp):
        yield from _sources(node.operand)
    elif isinstance(node, ast.BinOp):
        yield from _sources(node.left)
        yield from _sources(node.right)
    elif isinstance(node, ast.Compare):
        for side in (node.left, *node.comparators):
            yield from _sources(side)
    elif isinstance(node, ast.Subscript):
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if any(isinstance(entry, ast.Slice) for entry in entries):
            several = len(entries) > 1
            name = dotted(node.value)
            if name is not None:
                yield name, Part.SEVERAL_AXES if several else Part.SLICE
    elif (name := dotted(node)) is not None:
        yield name, Part.ALL


def _is_never_of_lists(node: ast.AST) -> bool:
    """Whether an operation is none that lists and texts have."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        either = (node.left, node.right)
        return any(isinstance(one, ast.Constant) and type(one.value) is float for one in either)
    return isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, _NEVER_OF_LISTS)


def _is_text(node: ast.expr) -> bool:
    """``"..." % x``, ``"..." + x``."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    return isinstance(node, ast.JoinedStr)


__all__ = ["Part", "operands"]
