"""Flat indices by their digits: ``(i * ny + j) * nz + k`` is ``i``, ``j``, ``k`` to ``ny``, ``nz``.

An index is read as a sum of products, each of one whole number and of sizes that the loop does not
change. Where every size multiplies all that those before it do, the numbers are digits: two
indices are equal where all their digits are, as long as none leaves its range.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from gpuport.loops.names import constant_int, loaded
from gpuport.loops.sets.affine import Split, Whole, together

if TYPE_CHECKING:
    from gpuport.loops.sets.wholes import Wholes

_Sizes = tuple[str, ...]
_Sum = dict[_Sizes, Whole]


def split_of(wholes: Wholes, node: ast.expr) -> Split | None:
    """The digits of an expression; None where it has none.

    Parameters
    ----------
    wholes : Wholes
        What is known of names.
    node : ast.expr
    """
    return wholes.splits.get(node.id) if isinstance(node, ast.Name) else _Reader(wholes).read(node)


class _Reader:
    """Reads one expression."""

    def __init__(self, wholes: Wholes) -> None:
        self.wholes = wholes
        self.periods: dict[str, Whole] = {}
        self.products: dict[_Sizes, str] = {}
        self.sizes: list[ast.expr] = []

    def read(self, node: ast.expr) -> Split | None:
        found = self._sum(node)
        if found is None:
            return None
        known = {size for sizes in found for size in sizes}
        for one in self.sizes:
            negative = isinstance(one, ast.UnaryOp)
            size = one.operand if isinstance(one, ast.UnaryOp) else one
            sizes = tuple(sorted(map(ast.unparse, _factors(size))))
            whole = Whole("1") if set(sizes) <= known else self.wholes.whole(size)
            if whole is None:
                return None
            sizes = sizes if set(sizes) <= known else ()
            found = _plus(found, {sizes: _times(-1, whole) if negative else whole})
        return self._digits(found)

    def _digits(self, found: _Sum) -> Split | None:
        ordered = sorted({(), *found}, key=len)
        texts: list[str] = []
        for less, more in pairwise(ordered):
            extra = tuple(sorted((Counter(more) - Counter(less)).elements()))
            text = self.products.get(extra)
            if Counter(less) - Counter(more) or text is None:
                return None
            texts.append(text)
        if not texts:
            return None
        digits = tuple(found.get(sizes, Whole("0")) for sizes in reversed(ordered))
        periods = tuple(self.periods[text] for text in reversed(texts))
        return Split(digits, periods, tuple(reversed(texts)))

    def _sum(self, node: ast.expr) -> _Sum | None:
        """The products of a sum; what is a size alone waits in ``sizes``."""
        if isinstance(node, ast.Name) and node.id in self.wholes.splits:
            return self._known(self.wholes.splits[node.id])
        if self._is_size(node):
            return self._size(node)
        whole = self.wholes.whole(node)
        if whole is not None:
            return None if whole.vague else {(): whole}
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            left, right = self._sum(node.left), self._sum(node.right)
            return None if left is None or right is None else _plus(left, right)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            minus = ast.UnaryOp(ast.USub(), node.right)
            left = self._sum(node.left)
            if left is None or self._is_size(node.right):
                return None if left is None else _plus(left, self._size(minus))
            waiting = len(self.sizes)
            right = self._sum(node.right)
            if right is None or len(self.sizes) > waiting:
                return None
            return _plus(left, {sizes: _times(-1, whole) for sizes, whole in right.items()})
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            for size, other in ((node.right, node.left), (node.left, node.right)):
                if self._fixed(size):
                    return self._product(other, size)
        return None

    def _product(self, node: ast.expr, size: ast.expr) -> _Sum | None:
        waiting = len(self.sizes)
        found = self._sum(node)
        if found is None or len(self.sizes) > waiting:
            return None  # of sizes alone in brackets, nobody knows whether they are digits
        number = constant_int(size)
        if number is not None:
            return {sizes: _times(number, whole) for sizes, whole in found.items()}
        factors = tuple(_factors(size))
        for one in dict.fromkeys((*factors, size)):
            text, whole = ast.unparse(one), self.wholes.whole(one)
            if whole is None:
                return None
            self.periods[text] = whole
            self.products[tuple(sorted(map(ast.unparse, _factors(one))))] = text
        texts = tuple(map(ast.unparse, factors))
        return {tuple(sorted((*sizes, *texts))): one for sizes, one in found.items()}

    def _is_size(self, node: ast.expr) -> bool:
        return self._fixed(node) and constant_int(node) is None

    def _size(self, node: ast.expr) -> _Sum:
        self.sizes.append(node)
        return {}

    def _known(self, split: Split) -> _Sum:
        found: _Sum = {}
        for k, digit in enumerate(split.digits):
            found[tuple(sorted(split.texts[k:]))] = digit
        self.periods |= dict(zip(split.texts, split.periods, strict=True))
        self.products |= {(text,): text for text in split.texts}
        return found

    def _fixed(self, node: ast.expr) -> bool:
        return not loaded([node]) & (self.wholes.assigned | set(self.wholes.values))


def _factors(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        yield from _factors(node.left)
        yield from _factors(node.right)
    else:
        yield node


def _plus(left: _Sum, right: _Sum) -> _Sum:
    found = dict(left)
    for sizes, whole in right.items():
        one = found.get(sizes)
        found[sizes] = (
            whole
            if one is None
            else Whole(f"({one.text} + {whole.text})", together(one.sides, whole.sides))
        )
    return found


def _times(factor: int, whole: Whole) -> Whole:
    return Whole(f"({factor} * {whole.text})", whole.sides)
