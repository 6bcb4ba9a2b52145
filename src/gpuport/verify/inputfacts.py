"""What a comparison wants to know of one trial's arguments: how many, how exact, for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.inputs import build, describe
from gpuport.verify.moved import holds_numbers
from gpuport.verify.sides import Side
from gpuport.verify.slots import Trial


@dataclass(frozen=True, slots=True)
class InputFacts:
    """What the comparison wants to know about the arguments of one trial.

    ``characters`` are the arrays' dtypes; ``bare``: there is no number that could be moved;
    ``lowest``: a whole number among them is the lowest that its type holds.
    """

    elements: int = 1
    characters: frozenset[str] = frozenset()
    bare: bool = False
    description: str = ""
    lowest: bool = False

    @classmethod
    def of(cls, trial: Trial, side: Side) -> InputFacts:
        """Those of the arguments that a trial builds, with a side's classes where it needs any."""
        if trial.is_made:
            with side.entered():
                arguments = build(trial.slots, trial, resolve=side.resolve)
        else:
            arguments = build(trial.slots, trial)
        arrays = [v for v in arguments.values() if isinstance(v, np.ndarray)]
        own = build(trial.init or (), trial, salt=1)
        return cls(
            max((a.size for a in arrays), default=1),
            frozenset(a.dtype.char for a in arrays),
            not (holds_numbers(arguments) or holds_numbers(own)),
            describe(arguments),
            any(_holds_lowest(a) for a in arrays),
        )

    @property
    def single(self) -> bool:
        """Whether single precision is among them, or what NumPy makes such floats of."""
        return bool(self.characters & set("fFhH"))


def _holds_lowest(array: NDArray[Any]) -> bool:
    return array.dtype.kind == "i" and bool((array == np.iinfo(array.dtype).min).any())
