"""What is known before a loop over vectors, and what comes of it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Turned:
    """A loop over elements.

    Attributes
    ----------
    loop : ast.For
    equal : tuple of str
        What has to hold: that vectors are as long as one another.
    left : tuple of str
        Names that hold new arrays after the user's loop, and after this one what they held, with
        the elements of those.
    places : tuple of str
        Variables of the loops over the elements.
    free : bool
        Whether iterations of the user's loop may be threads as well: nothing else makes any of it.
    """

    loop: ast.For
    equal: tuple[str, ...]
    left: tuple[str, ...]
    places: tuple[str, ...]
    free: bool = False


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the names before a loop.

    Attributes
    ----------
    arrays : mapping of str to int
        How many axes arrays have, by their text.
    floating : frozenset of str
        Those of floating dtype, as far as is known: what is added in place fits.
    owned : frozenset of str
        Arrays that no other name holds.
    live : frozenset of str
        Names that are read after the loop.
    resolve : callable
        The path of a function, or None.
    fresh : callable
        A name like the one that it is given, which nothing has.
    """

    arrays: Mapping[str, int]
    floating: frozenset[str]
    owned: frozenset[str]
    live: frozenset[str]
    resolve: Callable[[ast.expr], str | None]
    fresh: Callable[[str], str]


__all__ = ["Known", "Turned"]
