"""Sizes that go together: which others the original takes, beside those of one accepted input.

An input of one size says nothing of larger ones. Where a dimension does not move alone, those that
move with it are looked for: by as much, in proportion, or by a relation that fits what was accepted
(``n * (n - 1) / 2`` pairs of `n` points). What moves with nothing is as large as the text wants it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gpuport.verify.signatures.templates import Accepts, Template
from gpuport.verify.slots import Slot, Trial

_TRIES = 500
_ELEMENTS = 1 << 15
_LARGEST, _FAR = 1 << 13, 2
_STEPS = (1, 2, 3, 4, 5, 7, -1, -2, -3, 12, 29)
_TIMES = (2, 3, 4)
_SCANNED = (*range(19), 20, 21, 24, 28, 32, 33, 35, 36, 40, 45, 48, 55, 60, 63, 64, 65, 66, 72, 81,
            84, 96, 100, 120, 128, 130, 132, 144, 256, 257)  # fmt: skip
_TARGETS = (1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 33, 48, 64, 65, 130, 257)
_MOST_UNITS = 7
_TOGETHER = (2, 12)
_SLOPES = (1, 2, 3, 4, -1)

Sizes = Mapping[str, int]
Units = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """What moves: ``ladders`` are sizes that were accepted of some dimensions at once, the first
    those that one set out from; ``fixed`` the sizes of the dimensions that nothing else is
    accepted of."""

    ladders: tuple[tuple[Sizes, ...], ...]
    fixed: Sizes


def lockstep(names: Iterable[str], working: Trial, accepts: Accepts, tries: int = _TRIES) -> Found:
    """Other sizes that are accepted of these dimensions, singly and together.

    Parameters
    ----------
    names : iterable of str
    working : Trial
        That was accepted.
    accepts : callable
    tries : int
        How many trials this may take.
    """
    axes: dict[str, list[str]] = {}
    for name in names:
        axes.setdefault(axis(name), []).append(name)
    search = _Search(working, accepts, [tuple(some) for some in axes.values()], left=tries)
    stays = search.alone()
    search.together()
    search.related()
    search.add_near(stays)
    return search.found()


def axis(name: str) -> str:
    """The items of a list have the same sizes: ``x.0.2`` is the first axis of all items of `x`."""
    return ".".join(name.split(".")[:2])


def fixed(template: Template, sizes: Sizes) -> Template:
    """The template with some dimensions fixed."""
    init = None if template.init is None else tuple(_sized(s, sizes) for s in template.init)
    return replace(template, slots=tuple(_sized(s, sizes) for s in template.slots), init=init)


def _sized(slot: Slot, sizes: Sizes) -> Slot:
    dims = tuple(f"={sizes[d]}" if d in sizes else d for d in slot.dims)
    return replace(slot, dims=dims, items=tuple(_sized(item, sizes) for item in slot.items))


@dataclass(slots=True)
class _Search:
    """``units`` are dimensions of one axis each, ``moves`` what is known to move, and whereto."""

    working: Trial
    accepts: Accepts
    units: list[tuple[str, ...]]
    moves: list[tuple[Units, list[Sizes]]] = field(default_factory=list)
    stuck: list[tuple[str, ...]] = field(default_factory=list)
    left: int = _TRIES

    def found(self) -> Found:
        """Moves that share a dimension are of one ladder."""
        ladders: list[tuple[set[str], list[Sizes]]] = []
        for units, rungs in self.moves:
            names = {name for unit in units for name in unit}
            joined = [one for one in ladders if one[0] & names]
            ladders = [one for one in ladders if not one[0] & names]
            every = names.union(*(one[0] for one in joined))
            own = {name: self.working.sizes[name] for name in sorted(every)}
            steps = [rung for one in joined for rung in one[1]] + rungs
            ladders.append((every, [own, *({**own, **rung} for rung in steps)]))
        moving = {name for names, _ in ladders for name in names}
        fixed = {n: self.working.sizes[n] for unit in self.units for n in unit if n not in moving}
        return Found(tuple(_distinct(rungs) for _, rungs in ladders), fixed)

    def alone(self) -> list[tuple[Units, list[Sizes]]]:
        """Axes that other sizes are accepted of, whatever the others are.

        Those that stay near are given back: 10 and 11 samples have 6 frequencies each.
        """
        stays: list[tuple[Units, list[Sizes]]] = []
        for unit in self.units:
            size = self._size(unit)
            near = {*(size + step for step in _STEPS), *(size * k for k in _TIMES), size // 2}
            # of one element is what is broadcast
            if any(n > 1 and n != size and self._takes({unit: n}) for n in sorted(near)):
                every = sorted({*_SCANNED, *near, *(size * k for k in _TARGETS)})
                taken: list[Sizes] = [
                    dict.fromkeys(unit, n) for n in every if self._takes({unit: n})
                ]
                if max((one[unit[0]] for one in taken), default=0) >= _FAR * size:
                    self.moves.append(((unit,), taken))
                    continue
                stays.append(((unit,), taken))
            self.stuck.append(unit)
        return stays

    def add_near(self, stays: Iterable[tuple[Units, list[Sizes]]]) -> None:
        """What moves a little, where it moves with nothing."""
        moving = {unit for units, _ in self.moves for unit in units}
        self.moves += [move for move in stays if move[0][0] not in moving]

    def together(self) -> None:
        """By as much, or in proportion: the fewest axes at once."""
        for some in self._candidates():
            if any(set(known) <= set(some) for known, _ in self.moves):
                continue
            sizes = {unit: self._size(unit) for unit in some}
            if any(self._takes({u: n + by for u, n in sizes.items()}) for by in _TOGETHER):
                self._add(some, _shifted(sizes))
            elif self._takes({u: 2 * n for u, n in sizes.items()}):
                self._add(some, _multiples(sizes))

    def _candidates(self) -> Iterator[Units]:
        """All of one size, all; where they are few, every choice of them, the smallest first."""
        if len(self.stuck) > _MOST_UNITS:
            for size in sorted({self._size(unit) for unit in self.stuck}):
                yield tuple(unit for unit in self.stuck if self._size(unit) == size)
            yield tuple(self.stuck)
        few = self.stuck[:_MOST_UNITS]
        for count in range(2, len(few) + 1):
            yield from itertools.combinations(few, count)

    def related(self) -> None:
        """Two of which one follows from the other in some way: from either end."""
        moving = {unit for units, _ in self.moves for unit in units}
        for pair in itertools.combinations(self.stuck[:_MOST_UNITS], 2):
            if moving >= set(pair):
                continue
            rungs = [rung for ends in (pair, pair[::-1]) for rung in self._relation(*ends)]
            if rungs:
                self.moves.append((pair, rungs))
                moving |= set(pair)

    def _relation(self, one: tuple[str, ...], other: tuple[str, ...]) -> list[Sizes]:
        """Sizes of both, where one that is larger leads to another of the second."""
        start = self._size(one)
        known = {start: self._size(other)}
        for size in (start + 1, start + 2):
            for partner in _following(size, known):
                if partner > 1 and self._takes({one: size, other: partner}):
                    known[size] = partner
                    pairs = ((n, m) for n in _TARGETS for m in _following(n, known))
                    steps = ({one: n, other: m} for n, m in pairs)
                    return self._taken([{one: size, other: partner}, *steps])
        return []

    def _size(self, unit: tuple[str, ...]) -> int:
        return self.working.sizes[unit[0]]

    def _takes(self, sizes: Mapping[tuple[str, ...], int]) -> bool:
        if self.left <= 0 or any(not 0 <= size <= _LARGEST for size in sizes.values()):
            return False
        trial = replace(self.working, sizes={**self.working.sizes, **_by_name(sizes)})
        if Template(trial.slots, trial.init).elements(trial.sizes) > _ELEMENTS:
            return False
        self.left -= 1
        return self.accepts(trial)

    def _add(self, units: Units, steps: Iterable[Mapping[tuple[str, ...], int]]) -> None:
        self.moves.append((units, self._taken(steps)))

    def _taken(self, steps: Iterable[Mapping[tuple[str, ...], int]]) -> list[Sizes]:
        return [_by_name(sizes) for sizes in steps if self._takes(sizes)]


def _by_name(sizes: Mapping[tuple[str, ...], int]) -> Sizes:
    return {name: size for unit, size in sizes.items() for name in unit}


def _distinct(rungs: Sequence[Sizes]) -> tuple[Sizes, ...]:
    return tuple({tuple(rung.items()): rung for rung in rungs}.values())


def _shifted(
    sizes: Mapping[tuple[str, ...], int],
) -> Iterator[Mapping[tuple[str, ...], int]]:
    """One of them as large as may matter, the others by as much larger."""
    steps = {target - size for size in sizes.values() for target in _TARGETS}
    for by in sorted(steps | set(_STEPS)):
        yield {unit: size + by for unit, size in sizes.items()}


def _multiples(
    sizes: Mapping[tuple[str, ...], int],
) -> Iterator[Mapping[tuple[str, ...], int]]:
    common = math.gcd(*sizes.values()) or 1
    for times in sorted({*_TARGETS, *(common * k for k in _TARGETS)}):
        yield {unit: size // common * times for unit, size in sizes.items()}


def _following(size: int, known: Mapping[int, int]) -> list[int]:
    """What a second size may be, given what it was beside the first."""
    (start, beside), *more = known.items()
    fits = [beside + slope * (size - start) for slope in _SLOPES]
    fits += [beside * size // start] if start else []
    for other, partner in more:
        step, rest = divmod((partner - beside) * (size - start), other - start)
        fits = [beside + step, beside + step + bool(rest)]
    half = (size // 2, size // 2 + 1, (size + 1) // 2)
    fits += [size**2, size * (size - 1) // 2, size * (size + 1) // 2, *half]
    fits += [2**size] if size < 9 else []
    return [n for n in dict.fromkeys(fits) if 0 < n <= _LARGEST]


__all__ = ["Found", "axis", "fixed", "lockstep"]
