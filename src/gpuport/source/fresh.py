"""Names that nothing else has, and names in the place of others."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable


class Renamed(ast.NodeTransformer):
    """Gives a name another one wherever it stands."""

    def __init__(self, name: str, now: str) -> None:
        self.name, self.now = name, now

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.name:
            node.id = self.now
        return node


class Fresh:
    """Makes names that nothing in the function uses; most end in an underscore.

    ``places`` are those of loops that stand for an operation on arrays.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self.places: set[str] = set()

    def trial(self) -> Fresh:
        """One that gives the same names and leaves this one as it is."""
        return Fresh(self._taken)

    def exactly(self, wanted: str) -> str:
        """The wanted name itself, or one like it where that is taken."""
        if wanted in self._taken:
            return self.name(wanted)
        self._taken.add(wanted)
        return wanted

    def place(self) -> str:
        """A name for the place of an element, in a loop that stands for an operation on arrays."""
        made = self.name("k")
        self.places.add(made)
        return made

    def name(self, wanted: str) -> str:
        """``wanted_``, or ``wanted2_`` and so on where that is taken."""
        candidate, number = f"{wanted}_", 1
        while candidate in self._taken:
            number += 1
            candidate = f"{wanted}{number}_"
        self._taken.add(candidate)
        return candidate


def unused(wanted: str, taken: Collection[str]) -> str:
    """The wanted name, or one with a number where that is taken."""
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name
