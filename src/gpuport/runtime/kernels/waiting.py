"""Numbers that a call leaves come to the host together: one launch packs them, one transfer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from gpuport.runtime.kernels.signature import C_TYPES


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """One element of an array of the device.

    Attributes
    ----------
    array : array
    place : int or array
        An index, or an array of the device that holds one.
    from_end : bool
        Whether it counts from the end.
    """

    array: Any
    place: Any = 0
    from_end: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """What is made of numbers that are still on the device.

    Attributes
    ----------
    elements : tuple of Element
    finish : callable
        Makes it of the numbers, in their order.
    parts : int
        How many things it makes, where it makes a tuple.
    """

    elements: tuple[Element, ...]
    finish: Callable[[Sequence[Any]], Any]
    parts: int = 0

    def __iter__(self) -> Iterator[Waiting]:
        return (self[k] for k in range(self.parts))

    def __getitem__(self, which: int | slice) -> Waiting:
        finish = self.finish
        parts = len(range(self.parts)[which]) if isinstance(which, slice) else 0
        return Waiting(self.elements, lambda numbers: finish(numbers)[which], parts)


def fetched(result: Any) -> Any:
    """The result of a call, with all that waits in it made."""
    given = result if isinstance(result, tuple) else (result,)
    elements = {id(e): e for one in given if isinstance(one, Waiting) for e in one.elements}
    numbers = dict(zip(elements, numbers_of(list(elements.values())), strict=True))
    made = tuple(
        one.finish([numbers[id(e)] for e in one.elements]) if isinstance(one, Waiting) else one
        for one in given
    )
    return made if isinstance(result, tuple) else made[0]


def numbers_of(elements: Sequence[Element]) -> list[Any]:
    """The elements as NumPy's scalars; their bytes lie in one row, since dtypes may differ."""
    if len(elements) == 1 and isinstance(elements[0].place, int):
        (one,) = elements
        return [one.array.ravel()[one.place].get()[()]]
    if not elements:
        return []
    cupy = sys.modules["cupy"]
    places = {id(e.place): e.place for e in elements if not isinstance(e.place, int)}
    dtypes = [e.array.dtype for e in elements]
    ends = [int(end) for end in np.cumsum([one.itemsize for one in dtypes])]
    row = cupy.empty(ends[-1], dtype=np.uint8)
    at = [list(places).index(id(e.place)) if id(e.place) in places else -1 for e in elements]
    kinds = tuple(
        zip((one.name for one in dtypes), at, (e.from_end for e in elements), strict=True)
    )
    indices = [e.place if isinstance(e.place, int) else 0 for e in elements]
    arrays = [e.array.ravel() for e in elements]
    _packer(cupy, kinds, tuple(one.dtype.name for one in places.values()))(
        *arrays, *(one.reshape(1) for one in places.values()), *indices, row, size=1
    )
    found = row.get()
    return [
        found[end - one.itemsize : end].view(one)[0] for one, end in zip(dtypes, ends, strict=True)
    ]


@lru_cache(maxsize=64)
def _packer(cupy: Any, kinds: tuple[tuple[str, int, bool], ...], places: tuple[str, ...]) -> Any:
    """The kernel for elements of these dtypes, at these places."""
    declared = [f"raw {dtype} a{k}" for k, (dtype, _, _) in enumerate(kinds)]
    declared += [f"raw {dtype} p{k}" for k, dtype in enumerate(places)]
    declared += [f"int64 k{k}" for k in range(len(kinds))]
    lines, offset = [], 0
    for k, (dtype, place, from_end) in enumerate(kinds):
        index = f"(long long)p{place}[0]" if place >= 0 else f"k{k}"
        index = f"a{k}.size() - 1 - {index}" if from_end else index
        size = np.dtype(dtype).itemsize
        lines.append(
            f"{{ const {C_TYPES[dtype]} v = a{k}[{index}];\n"
            f"  for (int b = 0; b < {size}; ++b) "
            f"row[{offset} + b] = ((const unsigned char*)&v)[b]; }}"
        )
        offset += size
    return cupy.ElementwiseKernel(
        ", ".join(declared), "raw uint8 row", "\n".join(lines), "gpuport_packed"
    )
