"""Which sizes the arrays of the compared examples had: what was seen at one size is known of it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.slots import Slot, Trial, size_of

_FEWEST = 10
_SMALLEST = 2


@dataclass(slots=True)
class SizesSeen:
    """The sizes of each axis of each array, by its name and number of axes."""

    axes: dict[tuple[str, int], tuple[set[int], ...]] = field(default_factory=dict)
    examples: int = 0

    def add(self, trial: Trial) -> None:
        """The arrays of an example that was compared."""
        self.examples += 1
        for slot in (*trial.parameters, *(trial.init or ())):
            for name, shape in _shapes(slot, slot.name, trial.sizes):
                seen = self.axes.setdefault((name, len(shape)), tuple(set() for _ in shape))
                for axis, size in zip(seen, shape, strict=True):
                    axis.add(size)

    def never_varied(self) -> tuple[str, ...]:
        """Arrays of which an axis had one size alone, such as ``points (*, 3)``."""
        if self.examples < _FEWEST:
            return ()
        return tuple(
            f"{name} ({', '.join('*' if len(a) > 1 else str(*a) for a in axes)}{',' * (rank == 1)})"
            for (name, rank), axes in self.axes.items()
            if any(_alone(axis) for axis in axes)
        )

    def one_size(self) -> frozenset[int]:
        """All sizes, where no axis of any array had more than one."""
        axes = [axis for every in self.axes.values() for axis in every]
        return frozenset(itertools.chain(*axes)) if all(map(_alone, axes)) else frozenset()

    def tiny(self) -> bool:
        """Whether the axes that varied had two elements at most, where some array had two."""
        varied = [axis for every in self.axes.values() for axis in every if len(axis) > 1]
        return max((max(axis) for axis in varied), default=0) == _SMALLEST


def written(signature: Signature) -> frozenset[int]:
    """Sizes that a function's text or its declarations give: its numbers, their products."""
    numbers = {int(x) for x in signature.literals if x == int(x)}
    slots = [s for p in (*signature.parameters, *(signature.init or ())) for s in p.candidates]
    numbers |= {int(d[1:]) for slot in slots for d in _dims(slot) if d.startswith("=")}
    products = {a * b for a, b in itertools.combinations_with_replacement(numbers, 2)}
    return frozenset(numbers | products | {n + 1 for n in numbers})


def _alone(sizes: set[int]) -> bool:
    return len(sizes) == 1 and min(sizes) >= _SMALLEST


def _dims(slot: Slot) -> Iterator[str]:
    yield from slot.dims
    for item in slot.items:
        yield from _dims(item)


def _shapes(
    slot: Slot, name: str, sizes: Mapping[str, int]
) -> Iterable[tuple[str, tuple[int, ...]]]:
    if slot.kind == "array" and slot.dims:
        yield name, tuple(size_of(d, sizes, 1) for d in slot.dims)
    for item in slot.items:
        inner = name if slot.kind in ("list", "tuple") else f"{name}.{item.name}"
        yield from _shapes(item, inner, sizes)


__all__ = ["SizesSeen", "written"]
