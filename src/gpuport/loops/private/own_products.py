"""Products of small arrays that iterations make: with one another, with rows and with matrices."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gpuport.loops.heads.heads import parse
from gpuport.loops.names import Expr
from gpuport.loops.parts.parts import Extent, Part, Parts
from gpuport.loops.parts.products import Matrix, Product, matrix


class NotWritable(Exception):
    """Something is done with an array that is not written out."""


class OwnProducts:
    """Writes out products.

    Parameters
    ----------
    parts : Parts
    length : callable
        How long the vector is that an expression computes; None for a number, and where no array
        of the iteration's own tells.
    elements_of : callable
        Each element of a vector of a length.
    check : callable
        Makes sure of how long a part of an array is along an axis.
    """

    def __init__(
        self,
        parts: Parts,
        length: Callable[[Expr], int | None],
        elements_of: Callable[[Expr, int], list[Expr]],
        check: Callable[[Part, Extent, int], None],
    ) -> None:
        self.parts = parts
        self.length = length
        self.elements_of = elements_of
        self.check = check

    def is_own(self, found: Product) -> bool:
        """Whether an operand is made of arrays of the iteration's own alone."""
        return any(self.length(one) is not None for one in (found.left, found.right))

    def number(self, node: Expr, found: Product) -> Expr:
        """The sum of the products of two vectors."""
        lengths = [n for n in map(self.length, (found.left, found.right)) if n is not None]
        a, b = (self.elements_of(one, lengths[0]) for one in (found.left, found.right))
        return _summed(list(zip(a, b, strict=True)), node)

    def with_matrix(self, found: Product, *, wanted: bool) -> Matrix | None:
        """The matrix among the operands; None where there is none.

        Parameters
        ----------
        found : Product
        wanted : bool
            What becomes of the result shows that it is a vector.
        """
        if self.length(found.left) is None:
            return matrix(found.left, self.parts, 1, wanted=wanted)
        if found.over is None or self.length(found.right) is not None:
            return None
        return matrix(found.right, self.parts, found.over, wanted=wanted)

    def vector(self, node: Expr, found: Product, beside: Matrix) -> Expr:
        """The product with a matrix, as a sum of its columns or rows."""
        factors = self._factors(found, beside)
        terms = [(beside.line(k), one) for k, one in enumerate(factors)]
        return _summed(_in_order(terms, found, beside), node)

    def element(self, node: Expr, found: Product, beside: Matrix, k: int, length: int) -> Expr:
        """One element of the product with a matrix."""
        factors = self._factors(found, beside)
        self.check(beside.part, beside.part.axes[1 - beside.over], length)
        terms = [(beside.element(j, k), one) for j, one in enumerate(factors)]
        return _summed(_in_order(terms, found, beside), node)

    def _factors(self, found: Product, beside: Matrix) -> list[Expr]:
        other = found.right if beside.part.node is found.left else found.left
        length = self.length(other)
        if length is None:
            raise NotWritable
        self.check(beside.part, beside.part.axes[beside.over], length)
        return self.elements_of(other, length)


def _in_order(
    terms: list[tuple[Expr, Expr]], found: Product, beside: Matrix
) -> list[tuple[Expr, Expr]]:
    return terms if beside.part.node is found.left else [(b, a) for a, b in terms]


def _summed(terms: list[tuple[Expr, Expr]], node: Expr) -> Expr:
    texts = [f"({ast.unparse(a)}) * ({ast.unparse(b)})" for a, b in terms]
    return parse(f"({' + '.join(texts)})", node)
