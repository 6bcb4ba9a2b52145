"""What numbers are after each iteration, made of what the iterations give them."""

from __future__ import annotations

import sys
from typing import Any


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


def running_latest(terms: Any, places: Any, before: Any, *, counts: Any = None) -> Any:
    """What a number is after each iteration, of which some set it.

    Parameters
    ----------
    terms : array
        What iterations set it to.
    places : array
        The index of the iteration where it sets it, elsewhere -1; changes.
    before : number
        What it is until then.
    counts : array, optional
        What iterations add to it after that.
    """
    cupy = sys.modules["cupy"]
    step = 1
    while step < places.size:  # the greatest place so far (Hillis and Steele, 1986)
        places[step:] = cupy.maximum(places[step:], places[:-step])
        step *= 2
    found = terms[places]
    found[places < 0] = before
    if counts is not None:
        total = cupy.cumsum(counts)
        found += total - cupy.where(places < 0, 0, total[places])
    return found


def before_each(running: Any, begin: Any) -> Any:
    """What a running number is before each term: `begin` before the first."""
    found = sys.modules["cupy"].empty_like(running)
    found[:1] = begin
    found[1:] = running[:-1]
    return found


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
