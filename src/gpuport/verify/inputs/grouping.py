"""Which dimensions vary together: the axes of fields on one grid, of rows and their targets.

From one accepted input with all dimensions equal. Those that another size is accepted of alone vary
by themselves. Of the others classes are looked for that move together: pairs, axes at one place,
then what brings a refusal further down in the text when it moves as well, and triples.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from gpuport.verify.signatures.templates import Refusal

_MOST = 16
"""Dimensions among which classes are looked for."""
_TRIES = 160
"""Trials that this may take."""
_TOGETHER = (2, 3)
_SHARE = 0.08
"""Of the time that there is."""

_NEVER = 1 << 62
"""Further than any line: nothing comes beyond it."""

Group = tuple[str, ...]


@dataclass(slots=True)
class Grouping:
    """The search for dimensions that vary together.

    Parameters
    ----------
    moves : callable
        Whether another size of these dimensions is accepted, all others as they are.
    refusal : callable
        How far the last one came that was not.
    spent : callable
        The share of the time that is over.
    """

    moves: Callable[[Group], bool]
    refusal: Callable[[], Refusal]
    spent: Callable[[], float] = lambda: 0.0
    groups: list[Group] = field(default_factory=list)
    rest: list[str] = field(default_factory=list)
    left: int = _TRIES
    _until: float = 1.0

    def run(self, names: Iterable[str]) -> None:
        """Sort the dimensions into ``groups``; what moves with nothing is in ``rest``."""
        self.rest = list(names)
        self._until = self.spent() + _SHARE
        for name in [*self.rest]:
            self._try((name,))
        if len(self.rest) <= _MOST:
            self._pairs()
            for chosen in self._axes():
                if len(chosen) > 1 and set(chosen) <= set(self.rest):
                    self._try(chosen)
            for name in [*self.rest]:
                if name in self.rest and len(self.rest) > 1:
                    self._class_of(name)
        if len(self.rest) > 1:
            self._try(tuple(self.rest))

    def _pairs(self) -> None:
        """Of each in turn, until one has no partner."""
        while len(self.rest) > 1:
            first, *others = self.rest
            if not any(self._try((first, other)) for other in others):
                return

    def _try(self, names: Group) -> bool:
        if not self.moves(names):
            return False
        self._take(names)
        return True

    def _take(self, names: Group) -> None:
        self.groups.append(names)
        self.rest = [name for name in self.rest if name not in names]

    def _axes(self) -> Iterator[Group]:
        """Axes at the same place, counted from the front, then from the back."""
        ranks: dict[str, int] = {}
        places: dict[str, tuple[str, int]] = {}
        for name in self.rest:
            parts = name.split(".")
            if len(parts) > 1 and parts[1].isdigit():
                # the items of a list are arrays of their own
                owner = ".".join((parts[0], *parts[2:]))
                places[name] = owner, int(parts[1])
                ranks[owner] = max(ranks.get(owner, 0), int(parts[1]) + 1)
        for back in (False, True):
            together: dict[int, list[str]] = {}
            for name, (owner, place) in places.items():
                together.setdefault(place - ranks[owner] if back else place, []).append(name)
            yield from map(tuple, together.values())

    def _class_of(self, name: str) -> None:
        """What moves with this dimension."""
        others = [other for other in self.rest if other != name]
        held: Group = (name,)
        furthest = self._line(held)
        while furthest is not None:
            following = self._further(held, furthest, [o for o in others if o not in held])
            if following is None:
                break
            held, furthest = following
        if furthest is None and held != (name,):
            self._take(held)
            return
        for count in _TOGETHER:
            for some in itertools.combinations(others, count - 1):
                if self._over:
                    return
                self.left -= 1
                if self._try((name, *some)):
                    return

    def _further(
        self, held: Group, furthest: int, others: list[str]
    ) -> tuple[Group, int | None] | None:
        """These dimensions and one more, with which a call comes further; None where none does."""
        for other in others:
            line = self._line((*held, other))
            if line is None or line > furthest:
                return (*held, other), line
        return None

    def _line(self, names: Group) -> int | None:
        """Which line refuses another size of these; None where none does."""
        self.left -= 1
        if self._over:
            return _NEVER
        return None if self.moves(names) else self.refusal().line

    @property
    def _over(self) -> bool:
        return self.left <= 0 or self.spent() > self._until
