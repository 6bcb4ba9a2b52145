"""What `returns` of a kernel may say beside Python: what a loop keeps of what its iterations make.

``terms`` are arrays with an element for each index of the domain, in the order of the loops; ``i``,
a variable of the domain, stands for its own values. ``before`` is what the loop found, and is given
back where it keeps it, as it is. Several arrays in brackets go together: of all of them the element
at one place is taken, and `before` has as many numbers.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gpuport.runtime.kernels.runningnumbers import (
    before_each,
    running_greatest,
    running_latest,
    running_least,
    running_product,
    running_sum,
)
from gpuport.runtime.kernels.waiting import Element, Waiting


@dataclass(frozen=True, slots=True)
class Along:
    """A variable of the domain.

    Attributes
    ----------
    values : range
    inner : int
        How many indices have the same value in a row.
    """

    values: range
    inner: int

    def at(self, place: int) -> int:
        """Its value at an index."""
        return self.values[place // self.inner % len(self.values)]


def greatest(terms: Any, before: Any, *, last: bool = False, among: Any = None) -> Any:
    """The greatest number and what belongs to it; of equal ones the first.

    Parameters
    ----------
    terms : array, or tuple of an array and of what belongs to its elements
    before : number, or tuple
        Kept unless a term is greater (with `last`: or as great).
    last : bool
        Of equal numbers the last.
    among : array of bool, optional
        Which terms count. No other may be greater than all that do.
    """
    return _extreme(terms, before, "max", last, among)


def least(terms: Any, before: Any, *, last: bool = False, among: Any = None) -> Any:
    """The least number, where `greatest` has the greatest."""
    return _extreme(terms, before, "min", last, among)


def latest(terms: Any, before: Any, *, among: Any = None) -> Any:
    """The last term, or the last of those `among`; `before` where there is none."""
    parts = terms if isinstance(terms, tuple) else (terms,)
    if among is None:
        at = _At(int(parts[0].size) - 1)
        return _waiting(at, terms, lambda numbers: True, before)
    marks = among.ravel()
    at = _At(marks[::-1].argmax(), int(marks.size))
    marked = at.of(marks)
    return _waiting(at, terms, marked, before)


def summed(terms: Any, before: Any, *, dtype: Any = None, among: Any = None) -> Any:
    """The sum of `before` and all terms; `before` where none is `among`.

    Parameters
    ----------
    terms : array
    before : number
    dtype : dtype, optional
        Of the sum of the terms.
    among : array of bool, optional
    """
    return _total("sum", operator.add, terms, before, dtype, among)


def multiplied(terms: Any, before: Any, *, dtype: Any = None, among: Any = None) -> Any:
    """The product of `before` and all terms; otherwise as `summed`."""
    return _total("prod", operator.mul, terms, before, dtype, among)


def kept(terms: Any, marks: Any) -> Any:
    """The terms that are marked, as NumPy makes an array of a list: of none it is float64."""
    found = terms[marks]
    return found if found.size else sys.modules["cupy"].empty(0)


def whole(terms: Any) -> Any:
    """Terms that are Python's whole numbers."""
    return _Python(terms, int)


def real(terms: Any) -> Any:
    """Terms that are Python's floating numbers."""
    return _Python(terms, float)


WORDS: dict[str, Callable[..., Any]] = {
    "before_each": before_each, "running_latest": running_latest,
    "greatest": greatest, "kept": kept, "least": least, "latest": latest,
    "multiplied": multiplied, "real": real,
    "running_greatest": running_greatest, "running_least": running_least,
    "running_product": running_product, "running_sum": running_sum,
    "summed": summed, "whole": whole,
}  # fmt: skip
"""By their names."""


@dataclass(frozen=True, slots=True)
class _Python:
    terms: Any
    kind: type

    @property
    def size(self) -> int:
        return int(self.terms.size)


class _At:
    """What stands at one place of several arrays.

    Parameters
    ----------
    place : int, or array of one element
    size : int, optional
        The size of the arrays, where the place counts from their end.
    """

    def __init__(self, place: Any, size: int = 0) -> None:
        self.elements: list[Element] = []
        self._place = place
        self._size = size

    def of(self, one: Any) -> Callable[[Sequence[Any]], Any]:
        """What makes it of the numbers that are fetched for `elements`."""
        if isinstance(one, Along):
            place = self._index()
            return lambda numbers: one.at(place(numbers))
        if isinstance(one, _Python):
            number = self.of(one.terms)
            return lambda numbers: one.kind(number(numbers))
        if isinstance(one, (tuple, list)):
            inner = [self.of(part) for part in one]
            return lambda numbers: type(one)(part(numbers) for part in inner)
        return self._fetched(Element(one, self._place, self._size > 0))

    def _fetched(self, element: Element) -> Callable[[Sequence[Any]], Any]:
        self.elements.append(element)
        return operator.itemgetter(len(self.elements) - 1)

    def _index(self) -> Callable[[Sequence[Any]], int]:
        place, size = self._place, self._size
        if isinstance(place, int):
            return lambda numbers: place
        number = self._fetched(Element(place))
        if size:
            return lambda numbers: size - 1 - int(number(numbers))
        return lambda numbers: int(number(numbers))


def _waiting(at: _At, terms: Any, counts: Callable[[Sequence[Any]], Any], before: Any) -> Waiting:
    """What stands there, or what was before where that does not count."""
    parts = len(terms) if isinstance(terms, tuple) else 0
    value = at.of(terms)
    return Waiting(
        tuple(at.elements), lambda numbers: value(numbers) if counts(numbers) else before, parts
    )


def _extreme(terms: Any, before: Any, name: str, last: bool, among: Any) -> Any:
    old = before[0] if isinstance(terms, tuple) else before
    own = terms[0] if isinstance(terms, tuple) else terms
    flat = (own.terms if isinstance(own, _Python) else own).ravel()
    equal = None if among is None else _as_good(flat, getattr(flat, name)(), among.ravel())
    found, find = (flat, "arg" + name) if equal is None else (equal, "argmax")
    at = _At(getattr(found[::-1] if last else found, find)(), int(flat.size) if last else 0)
    better = {"max": (operator.gt, operator.ge), "min": (operator.lt, operator.le)}[name][last]
    number, marked = at.of(own), None if equal is None else at.of(equal)

    def counts(numbers: Sequence[Any]) -> bool:
        some = marked is None or marked(numbers)
        return bool(some and better(number(numbers), old))

    return _waiting(at, terms, counts, before)


def _as_good(flat: Any, best: Any, among: Any) -> Any:
    """Which terms are the best one, of those that count."""
    return _marking(sys.modules["cupy"])(flat, best.reshape(1), among)


@lru_cache(maxsize=4)
def _marking(cupy: Any) -> Any:
    return cupy.ElementwiseKernel(
        "T term, raw T best, bool counts", "bool good", "good = counts && term == best[0]",
        "gpuport_as_good",
    )  # fmt: skip


def _total(
    name: str, join: Callable[[Any, Any], Any], terms: Any, before: Any, dtype: Any, among: Any
) -> Waiting:
    of, kind = (terms.terms, terms.kind) if isinstance(terms, _Python) else (terms, None)
    number = getattr(of, name)(dtype=dtype)
    elements = (Element(number),) if among is None else (Element(number), Element(among.any()))

    def finish(numbers: Sequence[Any]) -> Any:
        if among is not None and not numbers[1]:
            return before
        return join(before, numbers[0] if kind is None else kind(numbers[0]))

    return Waiting(elements, finish)
