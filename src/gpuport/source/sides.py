"""Whose arrays values are, NumPy's or CuPy's, and what is known of that."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from gpuport.source.names import Scope


class Side(Enum):
    """Whose arrays a value is, or is made of."""

    HOST = "NumPy"
    DEVICE = "CuPy"


@dataclass(frozen=True, slots=True)
class Meeting:
    """A place at which CuPy or NumPy raises: the host's operand and the device's, or one alone."""

    node: ast.expr | ast.stmt
    host: ast.expr | None
    device: ast.expr | None


@dataclass(frozen=True, slots=True)
class Known:
    """What is known beside the text.

    Attributes
    ----------
    is_array : callable
        Whether an expression is an array, not a number.
    makes : callable
        Whether a name of CuPy's is that of a function that gives arrays.
    dispatches : callable
        Whether a function of NumPy, by its path, hands arrays of CuPy's on to CuPy.
    converts : callable
        Whether a function of CuPy's takes arrays of NumPy's.
    given : callable
        The parameters of a function that its boundary takes to the device; None without one.
    """

    is_array: Callable[[ast.expr], bool]
    makes: Callable[[str], bool]
    dispatches: Callable[[str], bool]
    converts: Callable[[str], bool]
    given: Callable[[Scope], frozenset[str] | None]


@dataclass(slots=True)
class Around:
    """What the scopes of a module tell of each other: sides by names.

    Attributes
    ----------
    names, attributes, results : dict
        Of the module's own names, of attributes whatever the object, and of what functions and
        methods give.
    arrays : set of str
        Attributes that hold arrays of NumPy's, not its numbers.
    """

    names: dict[str, set[Side]] = field(default_factory=dict)
    attributes: dict[str, set[Side]] = field(default_factory=dict)
    results: dict[str, set[Side]] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)

    def add(self, other: Around) -> None:
        """Take in what another scope tells."""
        self.arrays |= other.arrays
        for mine, more in (
            (self.names, other.names),
            (self.attributes, other.attributes),
            (self.results, other.results),
        ):
            for name, sides in more.items():
                mine.setdefault(name, set()).update(sides)


__all__ = ["Around", "Known", "Meeting", "Side"]
