"""Indices as sums that elements of other arrays are part of, and that may go around a period:
``(y + cy[k]) % ny``.

Of two such indices with the same element in them, ``cy[k]`` of one `k`, the difference is that of
the rest. So they are equal within a period of `n` where the rest is equal, or is apart by `n` at
least. Elements are taken for small enough that no sum of one and an index wraps around.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.loops.facts import ArrayFact
from gpuport.loops.names import constant_int, dotted, is_shape, loaded, subscript_indices
from gpuport.loops.sets.affine import Whole

if TYPE_CHECKING:
    from gpuport.loops.sets.wholes import Wholes

_WIDE = (None, "int64")
"""Dtypes of elements that an index may be added to; None is taken for an int64, with a guard."""


@dataclass(frozen=True)
class Reach:
    """An index.

    Attributes
    ----------
    rest : Whole
        What is known of the sum.
    terms : tuple of str
        The elements in it, with a blank for each index.
    keys : tuple of Whole
        These indices, in their order.
    arrays : frozenset of str
        The arrays whose elements they are.
    period : Whole or None
        What the sum is taken modulo.
    modulo : str
        The period as Python text.
    """

    rest: Whole
    terms: tuple[str, ...] = ()
    keys: tuple[Whole, ...] = ()
    arrays: frozenset[str] = frozenset()
    period: Whole | None = None
    modulo: str = ""

    @property
    def moves(self) -> bool:
        """Whether a loop's variable is in the sum, beside the elements."""
        return re.search(r"\bi\d+\b", self.rest.text) is not None

    def like(self, other: Reach) -> bool:
        """Whether both are sums of the same elements where their indices are equal."""
        periods = [None if one.period is None else one.period.text for one in (self, other)]
        return self.terms == other.terms and periods[0] == periods[1]


def reach_of(wholes: Wholes, node: ast.expr) -> Reach | None:
    """An index as a sum; None where it is none, and where it is known as it is.

    Parameters
    ----------
    wholes : Wholes
        What is known of names.
    node : ast.expr
    """
    if isinstance(node, ast.Name):
        return wholes.reaches.get(node.id)
    period: Whole | None = None
    modulo = ""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        modulo = ast.unparse(node.right)
        if loaded([node.right]) & wholes.assigned:
            return None
        period, node = wholes.place(node.right), node.left
        if period is None or period.sides:
            return None
    found = _sum(wholes, node)
    if found is None or not (found.terms or period is not None):
        return None
    return Reach(found.rest, found.terms, found.keys, found.arrays, period, modulo)


def _sum(wholes: Wholes, node: ast.expr) -> Reach | None:
    known = wholes.place(node)
    if known is not None:
        return None if known.sides else Reach(known)
    if isinstance(node, ast.Name):
        found = wholes.reaches.get(node.id)
        return None if found is None or found.period is not None else found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        left, right = _sum(wholes, node.left), _sum(wholes, node.right)
        if left is None or right is None:
            return None
        sign = "+" if isinstance(node.op, ast.Add) else "-"
        return Reach(
            Whole(f"({left.rest.text} {sign} {right.rest.text})"),
            (*left.terms, *(f"{sign} {term}" for term in right.terms)),
            (*left.keys, *right.keys),
            left.arrays | right.arrays,
        )
    return _element(wholes, node)


def _element(wholes: Wholes, node: ast.expr) -> Reach | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        found = _element(wholes, node.operand)
        return None if found is None else _with(found, f"-{found.terms[0]}")
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for factor, other in ((node.left, node.right), (node.right, node.left)):
            number, found = constant_int(factor), _element(wholes, other)
            if number is not None and found is not None:
                return _with(found, f"{number} * {found.terms[0]}")
        return None
    if isinstance(node, ast.Call) and dotted(node.func) == "int" and len(node.args) == 1:
        return _element(wholes, node.args[0])
    name = dotted(node.value) if isinstance(node, ast.Subscript) else None
    if not isinstance(node, ast.Subscript) or name is None or is_shape(node.value):
        return None
    fact = wholes.facts.get(name)
    if isinstance(fact, ArrayFact) and fact.dtype not in _WIDE:
        return None
    keys = [wholes.place(index) for index in subscript_indices(node)]
    known = tuple(key for key in keys if key is not None and not key.sides)
    if len(known) < len(keys):
        return None
    return Reach(Whole("0"), (f"{name}[{'_' * len(known)}]",), known, frozenset((name,)))


def _with(found: Reach, term: str) -> Reach:
    return Reach(found.rest, (term,), found.keys, found.arrays)
