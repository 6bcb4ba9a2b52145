"""Integers that a program knows by name: sums of symbols times whole numbers, and a constant.

Shapes, bounds, offsets and sizes are all of this one class.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gpuport._frozen import frozen
from gpuport.ir.structure import Value


@dataclass(slots=True, unsafe_hash=True)
class Symbol:
    """An extent of an array, or an integer, as it is read from a value.

    Attributes
    ----------
    source : Value
    path : tuple of (str, int)
        Steps from the value to the integer: ``("axis", k)`` of a shape, ``("item", k)`` of a tuple.
    name : str
        For readers; two symbols with the same source and path are the same.
    """

    source: Value
    path: tuple[tuple[str, int], ...] = ()
    name: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return self.name or repr(self.source)

    @property
    def order(self) -> tuple[int, tuple[tuple[str, int], ...]]:
        """A key for sorting, the same in every run."""
        return self.source.index, self.path


@frozen
class Affine:
    """A sum of symbols times whole numbers, and a constant; terms in the order of their symbols."""

    terms: tuple[tuple[Symbol, int], ...] = ()
    constant: int = 0

    @staticmethod
    def of(symbol: Symbol) -> Affine:
        """The symbol itself."""
        return Affine(((symbol, 1),))

    @property
    def number(self) -> int | None:
        """The value where no symbol is in it."""
        return None if self.terms else self.constant

    @property
    def symbols(self) -> Iterable[Symbol]:
        """The symbols of the sum."""
        return (symbol for symbol, _ in self.terms)

    def __add__(self, other: Affine | int) -> Affine:
        if isinstance(other, int):
            return Affine(self.terms, self.constant + other)
        factors = dict(self.terms)
        for symbol, factor in other.terms:
            factors[symbol] = factors.get(symbol, 0) + factor
        kept = [(symbol, factor) for symbol, factor in factors.items() if factor]
        kept.sort(key=lambda term: (term[0].order, term[0].name))
        return Affine(tuple(kept), self.constant + other.constant)

    def __mul__(self, factor: int) -> Affine:
        if not factor:
            return Affine()
        terms = tuple((symbol, times * factor) for symbol, times in self.terms)
        return Affine(terms, self.constant * factor)

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        return self + -other

    def value(self, values: Mapping[Symbol, int]) -> int | None:
        """The number, where all symbols have one; None otherwise."""
        total = self.constant
        for symbol, factor in self.terms:
            if symbol not in values:
                return None
            total += factor * values[symbol]
        return total

    def renamed(self, meanings: Mapping[Symbol, Affine]) -> Affine | None:
        """The same in other symbols; None where one has no counterpart."""
        total = Affine((), self.constant)
        for symbol, factor in self.terms:
            if symbol not in meanings:
                return None
            total = total + meanings[symbol] * factor
        return total

    def __repr__(self) -> str:
        text = "".join(
            f"{'+' if factor > 0 else '-'}{'' if abs(factor) == 1 else f'{abs(factor)}*'}{symbol}"
            for symbol, factor in self.terms
        )
        if self.constant or not text:
            text += f"{self.constant:+d}"
        return text.removeprefix("+")
