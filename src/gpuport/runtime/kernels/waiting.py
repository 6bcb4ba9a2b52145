"""Numbers that a call leaves come to the host together, in one transfer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """What is made of numbers that are still on the device.

    Attributes
    ----------
    arrays : tuple of array
        With one element each.
    finish : callable
        Makes it of the numbers, in their order.
    parts : int
        How many things it makes, where it makes a tuple.
    """

    arrays: tuple[Any, ...]
    finish: Callable[[Sequence[Any]], Any]
    parts: int = 0

    def __iter__(self) -> Iterator[Waiting]:
        return (self[k] for k in range(self.parts))

    def __getitem__(self, which: int | slice) -> Waiting:
        finish = self.finish
        parts = len(range(self.parts)[which]) if isinstance(which, slice) else 0
        return Waiting(self.arrays, lambda numbers: finish(numbers)[which], parts)


def fetched(result: Any) -> Any:
    """The result of a call, with all that waits in it made."""
    given = result if isinstance(result, tuple) else (result,)
    arrays = {id(a): a for one in given if isinstance(one, Waiting) for a in one.arrays}
    numbers = dict(zip(arrays, numbers_of(list(arrays.values())), strict=True))
    made = tuple(
        one.finish([numbers[id(a)] for a in one.arrays]) if isinstance(one, Waiting) else one
        for one in given
    )
    return made if isinstance(result, tuple) else made[0]


def numbers_of(arrays: Sequence[Any]) -> list[Any]:
    """The elements of arrays of one element each, as NumPy's scalars.

    Their bytes are put in one row, since dtypes may differ.
    """
    if len(arrays) < 2:
        return [one.get()[()] for one in arrays]
    row = sys.modules["cupy"].concatenate([one.reshape(1).view(np.uint8) for one in arrays]).get()
    ends = np.cumsum([one.dtype.itemsize for one in arrays])
    return [
        row[end - one.dtype.itemsize : end].view(one.dtype)[0]
        for one, end in zip(arrays, ends, strict=True)
    ]
