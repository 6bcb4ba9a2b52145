"""Stores of what depends on the place alone: where it is named twice, it gets the same twice.

Numbers do, and so do elements of arrays at the places that are stored to, whatever is computed of
them element by element: ``x[i, j] = 2 * y[i, j]``.

Two parts of an array change places: ``A[[k, p]] = A[[p, k]]``.

Where the two indices name the same place, the two values stored there are read from one place as
well: it does not matter which of them stays.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpuport.analysis.chains.elementwise import elementwise_call, elementwise_operator, operands
from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Value, is_number
from gpuport.source.stores import places_of

_PURE = (
    ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.Slice, ast.UnaryOp, ast.BinOp,
    ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip
"""What gives the same where it is written a second time in a statement."""


def exchanges_two(unit: Unit, target: ast.Subscript, stored: ast.expr | None) -> bool:
    """Whether ``target = stored`` makes two places of an array change their contents.

    Parameters
    ----------
    unit : Unit
    target : ast.Subscript
    stored : ast.expr or None
        What is stored.
    """
    of_lists = (ast.Subscript, ast.List)
    pure = _is_pure(target, *of_lists) and stored is not None and _is_pure(stored, *of_lists)
    if not isinstance(stored, ast.Subscript) or not pure:
        return False
    written, read = places_of(target), places_of(stored)
    if not _same(target.value, stored.value) or len(written) != len(read):
        return False
    pairs = list(zip(written, read, strict=True))
    exchanged = [pair for pair in pairs if _is_exchange(unit, *pair)]
    return len(exchanged) == 1 and all(
        pair in exchanged or (_is_plain(unit, pair[0]) and _same(*pair)) for pair in pairs
    )


def _is_exchange(unit: Unit, one: ast.expr, other: ast.expr) -> bool:
    """``[k, p]`` and ``[p, k]``, of numbers."""
    if not isinstance(one, ast.List) or not isinstance(other, ast.List):
        return False
    here, there = (list(map(_text, display.elts)) for display in (one, other))
    return len(here) == 2 and here == there[::-1] and all(_is_number(unit, n) for n in one.elts)


def _is_plain(unit: Unit, entry: ast.expr) -> bool:
    """An entry of an index that is no array of places."""
    ellipsis = isinstance(entry, ast.Constant) and entry.value is Ellipsis
    return ellipsis or isinstance(entry, ast.Slice) or _is_number(unit, entry)


def _is_number(unit: Unit, node: ast.expr) -> bool:
    return is_number(evaluate(unit, node).value)


def depends_on_place(
    unit: Unit, target: ast.Subscript, parts: Sequence[Value | str], stored: ast.expr
) -> bool:
    """Whether ``target = stored`` stores the same wherever it stores at the same place.

    Parameters
    ----------
    unit : Unit
    target : ast.Subscript
    parts : sequence of Value or str
        What is known of its entries.
    stored : ast.expr
        What is stored; of ``target += values`` the values.
    """
    if not _is_pure(target.slice) or not _is_pure(target.value):
        return False
    # Of indices of several axes, elements of an array of fewer axes than the target has would be
    # spread along another axis.
    flat = all(getattr(part, "rank", 0) in (0, 1) for part in parts)
    return _depends(unit, target, stored, flat=flat)


def _depends(unit: Unit, target: ast.Subscript, node: ast.expr, *, flat: bool) -> bool:
    if isinstance(node, ast.Subscript) and _same(node.slice, target.slice):
        alike = _same(node.value, target.value) or _have_as_many_axes(unit, node, target)
        return _is_pure(node.value) and (flat or alike)
    called = isinstance(node, ast.Call) and elementwise_call(
        unit.scope.resolve(node.func) or "", node
    )
    if called or elementwise_operator(node):
        return all(_depends(unit, target, one, flat=flat) for one in operands(node))
    return is_number(evaluate(unit, node).value)


def _have_as_many_axes(unit: Unit, one: ast.Subscript, other: ast.Subscript) -> bool:
    first, second = (evaluate(unit, node.value).value for node in (one, other))
    if not isinstance(first, Array) or not isinstance(second, Array):
        return False
    return first.rank is not None and first.rank == second.rank


def _is_pure(node: ast.expr, *more: type[ast.AST]) -> bool:
    return all(isinstance(part, (*_PURE, *more)) for part in ast.walk(node))


def _same(one: ast.expr, other: ast.expr) -> bool:
    return _text(one) == _text(other)


def _text(node: ast.expr) -> str:
    return ast.dump(node).replace("Store()", "Load()")


__all__ = ["depends_on_place", "exchanges_two"]
