"""Whole numbers as sums of texts times numbers: bounds that a condition in Python compares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gpuport._frozen import frozen


@frozen
class Linear:
    """A sum of expressions of Python's, each times a whole number, and a constant.

    Attributes
    ----------
    terms : tuple of (str, int)
        In the order of their texts.
    constant : int
    sizes : frozenset of str
        Expressions that are not negative.
    """

    terms: tuple[tuple[str, int], ...] = ()
    constant: int = 0
    sizes: frozenset[str] = frozenset()

    @property
    def number(self) -> int | None:
        """The value, where no expression is in it."""
        return None if self.terms else self.constant

    @property
    def is_natural(self) -> bool:
        """Whether it is certain not to be negative."""
        return self.constant >= 0 and all(f > 0 and text in self.sizes for text, f in self.terms)

    def __add__(self, other: Linear) -> Linear:
        factors = dict(self.terms)
        for text, factor in other.terms:
            factors[text] = factors.get(text, 0) + factor
        kept = tuple(sorted((text, factor) for text, factor in factors.items() if factor))
        return Linear(kept, self.constant + other.constant, self.sizes | other.sizes)

    def times(self, factor: int) -> Linear:
        """The product with a number."""
        if not factor:
            return Linear()
        terms = tuple((text, one * factor) for text, one in self.terms)
        return Linear(terms, self.constant * factor, self.sizes)

    def __sub__(self, other: Linear) -> Linear:
        return self + other.times(-1)

    def __mul__(self, other: Linear) -> Linear:
        total = self.times(other.constant) + other.times(self.constant)
        total = total + Linear((), -self.constant * other.constant)
        for text, factor in self.terms:
            for word, by in other.terms:
                product = " * ".join(sorted((_factor(text), _factor(word))))
                sizes = frozenset({product} if {text, word} <= self.sizes | other.sizes else ())
                total = total + Linear(((product, factor * by),), 0, sizes)
        return total

    def __str__(self) -> str:
        parts: list[str] = []
        for text, factor in sorted(self.terms, key=lambda term: (term[1] < 0, term[0])):
            scaled = text if abs(factor) == 1 else f"{abs(factor)} * {_factor(text)}"
            sign = "-" if factor < 0 else "+" if parts else ""
            parts.append(f"{sign} {scaled}" if parts else f"{sign}{scaled}")
        if self.constant or not parts:
            sign = "-" if self.constant < 0 else "+"
            parts.append(f"{sign} {abs(self.constant)}" if parts else str(self.constant))
        return " ".join(parts)


def _factor(text: str) -> str:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if not depth and char in "+-/%" and at:
            return f"({text})"
    return text


def spoken(number: Linear) -> str:
    """A number as an operand of anything."""
    return _factor(str(number))


def atom(text: str, *, is_size: bool = False) -> Linear:
    """An expression as it stands."""
    if text.lstrip("-").isdigit():
        return Linear((), int(text))
    return Linear(((text, 1),), 0, frozenset({text} if is_size else ()))


def extreme(word: str, of: Iterable[Linear]) -> Linear:
    """The least, or the largest, of some."""
    every = list(dict.fromkeys(of))
    numbers = [one.number for one in every]
    if len(every) == 1:
        return every[0]
    known = [number for number in numbers if number is not None]
    if len(known) == len(every):
        return Linear((), min(known) if word == "min" else max(known))
    return atom(f"{word}({', '.join(map(str, every))})", is_size=all(e.is_natural for e in every))


def not_negative(numbers: Iterable[Linear]) -> Iterator[str]:
    """Conditions under which none of some numbers is negative, without what follows from others.

    Raises
    ------
    ValueError
        Where one always is.
    """
    least: dict[tuple[tuple[str, int], ...], Linear] = {}
    for one in numbers:
        if one.is_natural:
            continue
        if one.number is not None:
            raise ValueError("a number is negative in all calls")
        before = least.get(one.terms, one)
        least[one.terms] = min(before, one, key=lambda number: number.constant)
    yield from map(_condition, least.values())


def _condition(distance: Linear) -> str:
    left, right = Linear(), Linear()
    for text, factor in distance.terms:
        part = Linear(((text, abs(factor)),))
        left, right = (left + part, right) if factor < 0 else (left, right + part)
    constant = distance.constant
    if not left.terms:
        return f"{right} >= {-constant}"
    if constant == -1:
        return f"{left} < {right}"
    left, right = left + Linear((), max(-constant, 0)), right + Linear((), max(constant, 0))
    return f"{left} <= {right}"
