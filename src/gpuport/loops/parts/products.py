"""Products of arrays: what is summed over, by how many axes the operands have.

The operand on the left is summed over its last axis. Of the one on the right it is the only one
of a vector, and of a matrix the one that the function says: ``(m, k) @ (k)``, ``(k) @ (k, n)``,
``np.inner(v, M)`` over the last axis of both.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from gpuport.loops.facts import Fact
from gpuport.loops.names import Expr, called_with
from gpuport.loops.parts.parts import Part, Parts
from gpuport.rules.loopfunctions import vector_functions
from gpuport.source import syntax


@dataclass(frozen=True)
class Product:
    """A product of two arrays as it stands in the text.

    Attributes
    ----------
    left, right : expr
    over : int or None
        The axis of a matrix on the right that is summed over; None where no operand is a matrix.
    """

    left: Expr
    right: Expr
    over: int | None


@dataclass(frozen=True)
class Matrix:
    """A matrix beside a vector in a product.

    Attributes
    ----------
    part : Part
        Of two axes.
    over : int
        The one that is summed over.
    """

    part: Part
    over: int

    def line(self, place: int) -> Expr:
        """What one element of the vector is multiplied by: a column, or a row, as a whole."""
        indices: list[Expr] = []
        axis = 0
        for index in self.part.indices:
            if index is not None:
                indices.append(syntax.copied(index))
                continue
            indices.append(ast.Constant(place) if axis == self.over else ast.Slice())
            axis += 1
        made = ast.Subscript(
            syntax.copied(self.part.array), ast.Tuple(indices, ast.Load()), ast.Load()
        )
        return ast.fix_missing_locations(ast.copy_location(made, self.part.node))

    def element(self, place: int, other: int) -> Expr:
        """The number that an element of the vector is multiplied by for one of the result."""
        places = [str(place), str(other)] if self.over == 0 else [str(other), str(place)]
        return self.part.element(places, ast.Load())


def product(node: ast.AST, facts: Mapping[str, Fact]) -> Product | None:
    """The product that an expression is; None for any other one."""
    known = vector_functions().products
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return Product(node.left, node.right, known["@"])
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    path, operands = called_with(node, facts)
    if path not in known or len(operands) != 2:
        return None
    return Product(operands[0], operands[1], known[path])


def matrix(node: Expr, parts: Parts, over: int, *, wanted: bool) -> Matrix | None:
    """A matrix that a product takes as a whole; None for anything else.

    Parameters
    ----------
    node : expr
    parts : Parts
    over : int
        The axis that is summed over.
    wanted : bool
        What becomes of the result shows that it is a vector: an array of which nothing else is
        known has two axes then, which the launch asks.
    """
    part = parts.sliced(node) or parts.short(node)
    if part is None and parts.is_array(node) and (wanted or parts.rank(node) == 2):
        part = parts.whole(node, 2)
    if part is None or len(part.axes) != 2 or not all(axis.full for axis in part.axes):
        return None
    parts.assume(part.array, len(part.indices))
    return Matrix(part, over)
