"""What a comparison wants to know of one trial's arguments: how many, how exact, for people."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.execution.invocation import earlier_arguments
from gpuport.verify.inputs.drawing import build, describe
from gpuport.verify.inputs.stands import Arguments, parts_of_stand
from gpuport.verify.sides.sides import Side
from gpuport.verify.sides.states import state_of
from gpuport.verify.signatures.moved import holds_numbers
from gpuport.verify.slots import OWN, Trial


@dataclass(frozen=True, slots=True)
class InputFacts:
    """What the comparison wants to know about the arguments of one trial.

    Those of its constructor and of the calls before are among them, and what containers hold.
    ``characters`` are the arrays' dtypes; ``bare``: there is no number that could be moved;
    ``lowest``: a whole number among them is the lowest that its type holds. ``unordered``: complex
    numbers among them are NaN in the imaginary part alone. ``finite``: no float among them is an
    infinity or NaN.
    """

    elements: int = 1
    characters: frozenset[str] = frozenset()
    bare: bool = False
    described: Arguments = field(default_factory=dict)
    lowest: bool = False
    unordered: bool = False
    finite: bool = True

    @classmethod
    def of(cls, trial: Trial, side: Side) -> InputFacts:
        """Those of the arguments that a trial builds, with a side's classes where it needs any."""
        if trial.is_made:
            with side.entered():
                arguments = build(trial.slots, trial, resolve=side.resolve)
        else:
            arguments = build(trial.slots, trial)
        own = build(trial.init or (), trial, salt=1)
        before = [
            earlier_arguments(trial, number, slots, side)
            for number, (_, slots) in enumerate(trial.before)
        ]
        arrays = list(_arrays([arguments, own, *before], set()))
        described = {**arguments, **{f"{OWN}{name}": value for name, value in own.items()}}
        return cls(
            max((a.size for a in arrays), default=1),
            frozenset(a.dtype.char for a in arrays),
            not (holds_numbers(arguments) or holds_numbers(own)),
            described,
            any(_holds_lowest(a) for a in arrays),
            any(_is_unordered(a) for a in arrays),
            all(_is_finite(a) for a in arrays),
        )

    def description(self) -> str:
        """The arguments for people: made on demand, as most examples need none."""
        return describe(self.described)

    @property
    def single(self) -> bool:
        """Whether single precision is among them, or what NumPy makes such floats of."""
        return bool(self.characters & set("fFhH"))


def _holds_lowest(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "i" and bool((array == np.iinfo(array.dtype).min).any())


def _is_unordered(array: NDArray[Any]) -> bool:
    if array.dtype.kind != "c":
        return False
    return bool((np.isnan(array.imag) & ~np.isnan(array.real)).any())


def _is_finite(array: NDArray[Any]) -> bool:
    return array.dtype.kind not in "fc" or bool(np.isfinite(array).all())


def _arrays(value: Any, seen: set[int]) -> Iterator[NDArray[Any]]:
    """The arrays of arguments, those that containers and instances hold among them."""
    if isinstance(value, np.ndarray):
        yield value
        return
    inside: Any = ()
    if isinstance(value, list | tuple):
        inside = value
    elif isinstance(value, dict):
        inside = value.values()
    elif (parts := parts_of_stand(value)) is not None:
        inside = parts
    elif (state := state_of(value)) is not None:
        inside = state.values()
    if id(value) not in seen:
        seen.add(id(value))
        for item in inside:
            yield from _arrays(item, seen)


__all__ = ["InputFacts"]
