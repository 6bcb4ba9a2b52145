"""Which arguments may be arrays of the device where a caller holds such."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from gpuport.verify.signatures.templates import Template
from gpuport.verify.slots import INSTANCE, OWN, Slot, Trial

_SUBSETS = 6
"""Arguments of which all subsets are tried; of more, all but one, one, and none."""


def most_arrays(templates: Sequence[Template]) -> list[Template]:
    """Callers that hold device arrays do not pass numbers where an array is possible."""
    counts = [sum(slot.kind == "array" for slot in t.slots) for t in templates]
    return [t for t, count in zip(templates, counts, strict=True) if count == max(counts)]


def residencies(trial: Trial) -> list[tuple[str, ...]]:
    """Which arguments, and which of the constructor's (``self.name``), may be CuPy arrays."""
    names = may_hold_arrays(trial)
    sizes: Sequence[int] = range(len(names), -1, -1)
    if len(names) > _SUBSETS:
        sizes = (len(names), 1, len(names) - 1, 0)
    return [choice for size in sizes for choice in itertools.combinations(names, size)]


def may_hold_arrays(trial: Trial) -> list[str]:
    """Arguments, and those of the constructor (``self.name``), that are arrays or hold some."""
    names = [s.name for s in trial.parameters if _may_hold_arrays(s)]
    return names + [f"{OWN}{name}" for s in trial.init or () for name in _own(s)]


def _own(slot: Slot) -> Iterator[str]:
    """A constructor's argument; of an instance that is given as it is each attribute."""
    held = [f"{slot.name}.{s.name}" for s in slot.items if _given_arrays(s)]
    if slot.kind == "object" and len(held) > 1:
        yield from held
    elif _given_arrays(slot):
        yield slot.name


def _given_arrays(slot: Slot) -> bool:
    return bool(slot.symbols()) or slot.kind in ("array", INSTANCE)


def _may_hold_arrays(slot: Slot) -> bool:
    if slot.kind == "size":
        return False
    return bool(slot.symbols()) or slot.kind in ("array", "list", "made", INSTANCE)
