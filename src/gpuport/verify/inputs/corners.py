"""NaN and infinities where they stand alone: at the ends of an array, as a number; all zero.

What a loop begins or ends with, what a window or a difference drops, is met there alone. Drawn at
random, such values stand elsewhere too, and hide it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.values import SMOOTH_FAMILIES
from gpuport.verify.slots import EVERY, FINITE, WITHIN, Slot, Trial

_VALUES = (math.nan, math.inf, -math.inf)
HUGE = 1e160
_ENOUGH, _LARGEST = 5, 130  # elements along each axis
_STRUCTURED = frozenset({*SMOOTH_FAMILIES, "definite", "shares", "sorted"})
_BASES = 6
_STEPS = (1, 2)
_NUMBERS = "iufc"

Kind = tuple[tuple[str, str, int], ...]


class Corners:
    """One plain example for each way of filling the parameters, and what is made of them."""

    def __init__(self) -> None:
        self._bases: dict[Kind, Trial] = {}

    def keep(self, trial: Trial) -> None:
        """Remember an example that both sides agree on, with plain values in its arrays."""
        kind = tuple((slot.name, slot.kind, len(slot.dims)) for slot in trial.slots)
        smallest, largest = (f(trial.sizes.values(), default=_ENOUGH) for f in (min, max))
        known = self._bases.get(kind)
        better = known is None or _smallest(known) < min(smallest, _ENOUGH)
        if largest > _LARGEST or not better or (known is None and len(self._bases) == _BASES):
            return
        family = trial.family if trial.family in _STRUCTURED else "normal"
        plain = replace(trial, family=family, dtype="float64", alias="", tied=False, apart=False)
        self._bases[kind] = replace(plain, edits=(), beside=False)

    def further(self) -> Iterator[Trial]:
        """The same with small whole numbers: what one step does, many hide."""
        bases = [*self._bases.values()]  # those that are accepted are kept as well
        for number in _STEPS:
            for base in bases:
                slots = tuple(with_number(slot, number) for slot in base.slots)
                if slots != base.slots:
                    yield from self._cornered(replace(base, slots=slots))

    def trials(self) -> Iterator[Trial]:
        """The examples kept, with values exchanged at one or both ends of one argument.

        A huge number, whose square is infinite, stands at both ends at once: what overflows is
        found wherever it is. Last an array is zero while the others are not, NaN, and both.
        """
        for base in [*self._bases.values()]:
            yield from self._cornered(base)

    @staticmethod
    def _cornered(base: Trial) -> Iterator[Trial]:
        confined = {s.name for s in base.slots if _confined(s)}
        for name, held in build(base.slots, base).items():
            if name in confined:
                continue
            places: tuple[tuple[int, ...], ...] = ()
            if isinstance(held, np.ndarray) and held.dtype.kind == "f" and held.size > 1:
                places = (0,), (held.size - 1,), (0, held.size - 1)
            elif isinstance(held, float):
                places = ((0,),)
            for value in _VALUES:
                for where in places:
                    edits = tuple((name, place, value) for place in where)
                    yield replace(base, edits=edits)
            for where in places[-1:]:
                edits = tuple((name, place, HUGE) for place in where)
                yield replace(base, edits=edits)
            if isinstance(held, np.ndarray) and held.size > 1 and held.dtype.kind in _NUMBERS:
                yield replace(base, edits=((name, EVERY, 0.0),))
            if isinstance(held, np.ndarray) and held.size > 1 and held.dtype.kind == "f":
                yield replace(base, edits=((name, EVERY, math.nan),))
                yield replace(base, edits=((name, EVERY, 0.0), (name, 0, math.nan)))


def _smallest(trial: Trial) -> int:
    return min(trial.sizes.values(), default=_ENOUGH)


def with_number(slot: Slot, number: int) -> Slot:
    """A whole number is this one, where nothing is declared of it."""
    if slot.kind != "int" or slot.traits:
        return slot
    return replace(slot, kind="choice", choices=(number,), omit=False, nullable=False)


def _confined(slot: Slot) -> bool:
    return bool({WITHIN, FINITE} & set(slot.traits))


__all__ = ["HUGE", "Corners", "with_number"]
