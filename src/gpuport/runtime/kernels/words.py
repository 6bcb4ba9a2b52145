"""What `returns` of a kernel may say beside Python: what a loop keeps of what its iterations make.

``terms`` are arrays with an element for each index of the domain, in the order of the loops; ``i``,
a variable of the domain, stands for its own values. ``before`` is what the loop found, and is given
back where it keeps it, as it is. Several arrays in brackets go together: of all of them the element
at one place is taken, and `before` has as many numbers.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


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
        Which terms count.
    """
    return _extreme(terms, before, "max", last, among)


def least(terms: Any, before: Any, *, last: bool = False, among: Any = None) -> Any:
    """The least number; otherwise as `greatest`."""
    return _extreme(terms, before, "min", last, among)


def latest(terms: Any, before: Any, *, among: Any = None) -> Any:
    """The last term, or the last of those `among`; `before` where there is none."""
    parts = terms if isinstance(terms, tuple) else (terms,)
    place = (parts[0] if among is None else among).size - 1
    if among is not None:
        (marks,) = _listed((among,))
        place -= int(marks[::-1].argmax())
        if not marks[place]:
            return before
    return _taken(terms, place)


def running_sum(terms: Any, into: Any = None, *, begin: Any = None) -> Any:
    """What the sum is after each term, in an array of its own or stored in `into`.

    Parameters
    ----------
    terms : array
        The first of them changes, where the sum begins with something.
    into : array, optional
    begin : number, optional
    """
    return _running("add", "cumsum", terms, into, begin)


def running_product(terms: Any, into: Any = None, *, begin: Any = None) -> Any:
    """What the product is after each term; otherwise as `running_sum`."""
    return _running("multiply", "cumprod", terms, into, begin)


def running_greatest(terms: Any, *, begin: Any) -> Any:
    """The greatest of `begin` and of the terms so far; NaN is never it."""
    return _running_extreme("fmax", terms, begin)


def running_least(terms: Any, *, begin: Any) -> Any:
    """The least of `begin` and of the terms so far; NaN is never it."""
    return _running_extreme("fmin", terms, begin)


def whole(terms: Any) -> Any:
    """Terms that are Python's whole numbers."""
    return _Python(terms, int)


def real(terms: Any) -> Any:
    """Terms that are Python's floating numbers."""
    return _Python(terms, float)


WORDS: dict[str, Callable[..., Any]] = {
    "greatest": greatest, "least": least, "latest": latest, "real": real,
    "running_greatest": running_greatest, "running_least": running_least,
    "running_product": running_product, "running_sum": running_sum, "whole": whole,
}  # fmt: skip
"""By their names."""


@dataclass(frozen=True, slots=True)
class _Python:
    terms: Any
    kind: type

    @property
    def size(self) -> int:
        return int(self.terms.size)


def _listed(parts: Any) -> list[Any]:
    """The arrays, without what says of which type their numbers are, with one axis."""
    return [(one.terms if isinstance(one, _Python) else one).ravel() for one in parts]


def _taken(terms: Any, place: int) -> Any:
    parts = terms if isinstance(terms, tuple) else (terms,)
    found = tuple(_number(one, place) for one in parts)
    return found if isinstance(terms, tuple) else found[0]


def _number(one: Any, place: int) -> Any:
    if isinstance(one, Along):
        return one.at(place)
    if isinstance(one, _Python):
        return one.kind(one.terms.ravel()[place])
    if isinstance(one, (tuple, list)):
        return type(one)(_number(inner, place) for inner in one)
    return one.ravel()[place].get()[()]


def _extreme(terms: Any, before: Any, name: str, last: bool, among: Any) -> Any:
    old = before[0] if isinstance(terms, tuple) else before
    own = terms[0] if isinstance(terms, tuple) else terms
    (flat,) = _listed((own,))
    if among is None:
        place = _place(flat, "arg" + name, last)
    else:
        equal = among.ravel() & (flat == getattr(flat, name)())
        place = _place(equal, "argmax", last)
        if not equal[place]:
            return before
    found = _number(own, place)
    if name == "max":
        better = found >= old if last else found > old
    else:
        better = found <= old if last else found < old
    if not better:
        return before
    if not isinstance(terms, tuple):
        return found
    return (found, *(_number(one, place) for one in terms[1:]))


def _running(first: str, scan: str, terms: Any, into: Any, begin: Any) -> Any:
    cupy = sys.modules["cupy"]
    if begin is not None:
        getattr(cupy, first)(terms[:1], begin, out=terms[:1])
    return getattr(cupy, scan)(terms, dtype=terms.dtype, out=into)


def _running_extreme(name: str, terms: Any, begin: Any) -> Any:
    """By doubling: the extreme of the last 2, 4, 8, ... terms, up to all of them."""
    cupy = sys.modules["cupy"]
    function = getattr(cupy, name)
    found = function(terms, begin)
    step = 1
    while step < found.size:
        found[step:] = function(found[step:], found[:-step])
        step *= 2
    if found.dtype.kind != "f":
        return found
    # of zeros of two signs, which are equal, an extreme stays the first one
    zero = found == 0
    return cupy.where(zero, begin if begin == 0 else found[zero.argmax()], found)


def _place(flat: Any, find: str, last: bool) -> int:
    """The first, or last, place of an extreme."""
    if last:
        return int(flat.size) - 1 - int(getattr(flat[::-1], find)())
    return int(getattr(flat, find)())
