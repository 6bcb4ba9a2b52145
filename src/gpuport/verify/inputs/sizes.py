"""How large the arrays of an example are: usual sizes, and those that blocks are cut into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import BASE_SIZE

AHEAD = 4
"""So many examples are sent to the worker before the first of them is answered."""

_SIZES = (4, 5, 3, 8, 2, 1, 33, 7, 0, 6, 65, 130)
"""Taken in turns."""
_BLOCKS = (9, 64, 16, 257)
"""And their neighbours: what a launch or a buffer is cut into."""
_FEW = 2
"""Dimensions of which each may have any of these sizes."""
_LARGE = 40
"""Larger ones are cut down where there are more dimensions."""
_ALIKE = 0.3
"""Share of the examples all of whose dimensions have one size."""
_USUAL = 0.2
"""Share of them with the sizes that were recorded."""
_MODEST = 50_000
"""Elements up to which recorded sizes are used again."""
_SINGLE = 0.12
"""Share with one element along an axis that may have no more."""
_ONE_LARGE = 0.12
"""Share with one large dimension among several,"""
_BEYOND = (65, 130, 257)
"""which is of one of these sizes: beyond the blocks of 64, 128 and 256."""
_VERY_LARGE = 0.04
"""Share with a very large one that is alone,"""
_LARGEST = 1025
"""of this size,"""
_MANY = 5000
"""where the example has no more elements than that."""
_SETTLED = 12
"""Examples after which sizes that were accepted are taken again where hardly any are,"""
_PROVEN = 0.6
"""in this share of them."""


def drawn_sizes(template: Template, turn: int, rng: np.random.Generator) -> dict[str, int]:
    """A size for each dimension; those of a group vary together."""
    sizes: dict[str, int] = dict(template.base)
    alike = rng.random() < _ALIKE
    usual = turn == 0 or rng.random() < _USUAL
    if template.recorded and usual and template.elements() <= _MODEST:
        return sizes
    many = len(template.symbols()) > _FEW
    usable = _SIZES if many else (*_SIZES, *_BLOCKS)
    for k, group in enumerate(template.groups):
        first = k == 0 or alike
        size = usable[(turn if first else int(rng.integers(100))) % len(usable)]
        if size > _LARGE and many:
            size = _LARGE - 7
        sizes.update({name: size + template.offsets.get(name, 0) for name in group})
    if many and turn and rng.random() < _ONE_LARGE:
        longer = {**sizes, **dict(one_large(template, rng))}
        # of axes that have to be alike all are long
        sizes = longer if template.elements(longer) <= _MODEST else sizes
    if turn and len(template.groups) == 1 and rng.random() < _VERY_LARGE:
        larger = {name: _LARGEST + template.offsets.get(name, 0) for name in template.groups[0]}
        if template.elements({**sizes, **larger}) <= _MANY:
            sizes.update(larger)
    for rungs in template.ladders:
        sizes.update(rungs[0 if turn == 0 else int(rng.integers(len(rungs)))])
    if template.single and turn and rng.random() < _SINGLE:
        sizes[template.single[int(rng.integers(len(template.single)))]] = 1
    return sizes


def one_large(
    template: Template, rng: np.random.Generator, size: int = 0
) -> Iterator[tuple[str, int]]:
    """What is cut into blocks along one axis of many: that one of this size, or of a usual one."""
    chosen = int(rng.integers(max(len(template.groups), 1)))
    size = size or int(rng.choice(_BEYOND))
    for k, group in enumerate(template.groups):
        small = int(rng.integers(1, BASE_SIZE + 1))
        for name in group:
            yield name, (size if k == chosen else small) + template.offsets.get(name, 0)


@dataclass(slots=True)
class Proven:
    """The sizes that were accepted so far, by which dimensions they are of.

    ``taken`` is how many of those that are ``told`` are known here: each is looked at once.
    """

    told: Sequence[tuple[int, Mapping[str, int]]]
    taken: int = 0
    alike: dict[frozenset[str], list[Mapping[str, int]]] = field(default_factory=dict)

    def or_other(
        self, index: int, sizes: dict[str, int], rng: np.random.Generator
    ) -> dict[str, int]:
        """These sizes, or such as were accepted before where hardly any are (three by three)."""
        while self.taken < len(self.told) and self.told[self.taken][0] + AHEAD <= index:
            accepted = self.told[self.taken][1]
            self.alike.setdefault(frozenset(accepted), []).append(accepted)
            self.taken += 1
        if index < _SETTLED or self.taken > index / 2:
            return sizes
        alike = self.alike.get(frozenset(sizes))
        if not alike or rng.random() > _PROVEN:
            return sizes
        return dict(alike[int(rng.integers(len(alike)))])
