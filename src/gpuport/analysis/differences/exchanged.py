"""Two parts of an array change places: ``A[[k, p]] = A[[p, k]]``.

Where the two indices name the same place, the two values stored there are read from one place as
well: it does not matter which of them stays.
"""

from __future__ import annotations

import ast

from gpuport.analysis.expressions.evaluation import evaluate
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import is_number
from gpuport.source.stores import places_of

_PURE = (
    ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.Slice, ast.Tuple, ast.List,
    ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context,
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
    if not isinstance(stored, ast.Subscript) or not _is_pure(target) or not _is_pure(stored):
        return False
    written, read = places_of(target), places_of(stored)
    if _text(target.value) != _text(stored.value) or len(written) != len(read):
        return False
    pairs = list(zip(written, read, strict=True))
    exchanged = [pair for pair in pairs if _is_exchange(unit, *pair)]
    return len(exchanged) == 1 and all(
        pair in exchanged or (_is_plain(unit, pair[0]) and _text(pair[0]) == _text(pair[1]))
        for pair in pairs
    )


def _is_pure(node: ast.expr) -> bool:
    return all(isinstance(part, _PURE) for part in ast.walk(node))


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


def _text(node: ast.expr) -> str:
    return ast.dump(node)


__all__ = ["exchanges_two"]
