"""Whole numbers that say how long an array is: ``Running(size)`` takes arrays of that size later.

A number and an array that are drawn on their own fit each other by chance, for one size.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpuport.verify.signatures.templates import Accepts, Template
from gpuport.verify.slots import BASE_SIZE, Slot, Trial

_NUMBERS, _AXES, _FEW_AXES = 4, 6, 4
_SIZES = (BASE_SIZE, 6, 3)


def with_lengths(
    template: Template, accepts: Accepts, seed: int
) -> Iterator[tuple[Template, Trial]]:
    """The template with one of its whole numbers the size of an axis, where that is accepted.

    Parameters
    ----------
    template : Template
        With all its dimensions free.
    accepts : callable
    seed : int

    Yields
    ------
    template, trial
        What was accepted with several sizes, and an example of it.
    """
    every = (*template.slots, *(template.init or ()))
    numbers = [place for place, slot in enumerate(every) if slot.kind == "int" and not slot.traits]
    axes = [name for slot in every if slot.kind == "array" for name in slot.symbols()]
    for choice in _choices(numbers[:_NUMBERS], list(dict.fromkeys(axes))[:_AXES]):
        other = template
        for place, name in choice.items():
            other = _as_length(other, place, name)
        names = other.symbols()
        trials = (
            other.all_given.trial(dict.fromkeys(names, size), (seed, 7, size), "normal")
            for size in _SIZES
        )
        if all(accepts(trial) for trial in trials):
            yield other, other.all_given.trial(dict.fromkeys(names, BASE_SIZE), (seed, 7), "normal")
            return


def _choices(numbers: Sequence[int], axes: Sequence[str]) -> Iterator[dict[int, str]]:
    """One number and an axis; then two, each with one of the first few axes."""
    for place, name in itertools.product(numbers, axes):
        yield {place: name}
    few = axes[:_FEW_AXES]
    for pair in itertools.combinations(numbers, 2):
        for names in itertools.product(few, repeat=2):
            yield dict(zip(pair, names, strict=True))


def _as_length(template: Template, place: int, name: str) -> Template:
    def changed(slots: tuple[Slot, ...], at: int) -> tuple[Slot, ...]:
        one = replace(slots[at], kind="size", dims=(name,), dtype=None, choices=())
        return (*slots[:at], one, *slots[at + 1 :])

    own = len(template.slots)
    if place < own:
        return replace(template, slots=changed(template.slots, place))
    return replace(template, init=changed(template.init or (), place - own))


def stays(template: Template, probed: Template) -> bool:
    """Whether an axis that was free is of one size in what the probing left."""
    return bool(set(template.symbols()) - set(probed.symbols()))
