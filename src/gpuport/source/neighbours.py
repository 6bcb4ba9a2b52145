"""Which functions matter to each other: those that call one another, over any way."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field


@dataclass(slots=True)
class Neighbours:
    """Groups of functions, by their ids."""

    _near: dict[int, set[int]] = field(default_factory=dict)

    def join(self, members: Collection[int]) -> None:
        """What is made of one of these functions matters to all of them."""
        for member in members:
            self._near.setdefault(member, set()).update(members)

    def reached(self, first: Iterable[int]) -> set[int]:
        """The functions that matter to one of the first ones, and what these matter to in turn."""
        found: set[int] = set()
        pending = [one for one in first if one in self._near]
        while pending:
            one = pending.pop()
            if one not in found:
                found.add(one)
                pending.extend(self._near[one])
        return found

    def all(self) -> set[int]:
        """Every function that calls another one or is called."""
        return set(self._near)


__all__ = ["Neighbours"]
