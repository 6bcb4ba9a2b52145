"""Changes of one example: what a search for inputs tries next.

Each changes one thing: a size, the rank or the dtype of an array, the family of the values, single
elements or all of them, a number, what is left out, the layout.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from gpuport.verify.inputs.corners import HUGE
from gpuport.verify.inputs.drawing import build
from gpuport.verify.inputs.layouts import LAYOUTS
from gpuport.verify.inputs.values import ALL_FAMILIES
from gpuport.verify.signatures.templates import left_out
from gpuport.verify.signatures.usage import RANKS, arrays
from gpuport.verify.slots import EVERY, OMITTED, OPEN, Slot, Trial

_SIZES = (1, 2, 3, 0, 5, 8, 16, 32, 33, 64, 7, 100)
_LARGEST, _MOST = 5000, 20_000  # a size, and elements of all arrays
_DTYPES = ("float32", "float64", "int64", "complex128", "int32", "uint8", "bool", "float16",
           "complex64", "int16", "uint32", "uint64", "int8", "uint16")  # fmt: skip
_VALUES = (0.0, 1.0, -1.0, math.nan, math.inf, -math.inf, HUGE, -HUGE, 1e-9, 0.5, 2.0, 100.0)
_STEPS, _FACTORS = (1.0, -1.0, 16.0, -16.0, 0.0625, -0.0625), (-1.0, 2.0, 0.5, 30.0, 1e4)
_FRONT = 10  # places by number are near the beginning
_LARGEST_INDEX = 100
_WHOLE = (0, 1, 2, 3, -1, 4, 5, 8, 10)
_BESIDE = (0.0, 1.0, -1.0)
_DRAWS = 6
_ALIASES = ("same", "overlap", "equal", "")

# what a condition reads, and the kinds of changes that then are likely ones
_HINTS = {
    "shape": "size", "size": "size", "len": "size", "nbytes": "size", "ndim": "rank",
    "dtype": "dtype", "kind": "dtype", "itemsize": "dtype", "flags": "layout",
    "strides": "layout", "isnan": "value", "isfinite": "value", "isinf": "value",
}  # fmt: skip

Move = tuple[str, Trial]
Groups = Sequence[Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a condition reads: the numbers and texts in it, and the kinds of changes that likely
    decide it."""

    numbers: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()
    likely: frozenset[str] = frozenset()

    @classmethod
    def of(cls, test: ast.expr) -> Reading:
        """The reading of one condition."""
        held = [node.value for node in ast.walk(test) if isinstance(node, ast.Constant)]
        numbers = dict.fromkeys(float(v) for v in held if isinstance(v, int | float))
        texts = dict.fromkeys(v for v in held if isinstance(v, str))
        names = {getattr(n, "attr", getattr(n, "id", "")) for n in ast.walk(test)}
        likely = frozenset(_HINTS[name] for name in names & _HINTS.keys())
        return cls(tuple(numbers), tuple(texts), likely)


def moves(
    trial: Trial, reading: Reading, groups: Groups, rng: np.random.Generator
) -> Iterator[Move]:
    """Every change of an example, each with its kind.

    Parameters
    ----------
    trial : Trial
    reading : Reading
        Sizes, values and texts near those of the condition are tried.
    groups : sequence of mappings
        Dimensions that vary together, each with how much larger than the smallest it is.
    rng : numpy.random.Generator
        For elements that are picked at random.
    """
    numbers = reading.numbers
    yield from (("draw", redrawn(trial, rng)) for _ in range(_DRAWS))
    for sizes in _other_sizes(trial, numbers, groups):
        yield "size", replace(trial, sizes=sizes)
    for one in _other_ranks(trial):
        if _elements(one, one.sizes) <= _MOST:
            yield "rank", one
    yield from (("dtype", one) for one in _other_dtypes(trial))
    yield from (("value", replace(trial, family=f)) for f in ALL_FAMILIES if f != trial.family)
    yield from (("value", one) for one in _other_values(trial, numbers, rng))
    yield from (("number", one) for one in _other_arguments(trial, reading))
    yield from (("layout", replace(trial, layout=name)) for name in dict.fromkeys(LAYOUTS))
    yield from (("layout", replace(trial, alias=name)) for name in _ALIASES)
    yield "guard", replace(trial, refused=not trial.refused)
    yield "state", replace(trial, before=())
    yield "value", replace(trial, tied=not trial.tied)


def redrawn(trial: Trial, rng: np.random.Generator) -> Trial:
    """The same with other values of the same kinds."""
    # the last number says whether arguments are given by name
    seed = (*trial.seed[:-1], int(rng.integers(1 << 30)), trial.seed[-1])
    return replace(trial, seed=seed)


def _other_sizes(
    trial: Trial, numbers: Sequence[float], groups: Groups
) -> Iterator[dict[str, int]]:
    sizes = dict(trial.sizes)
    written = [int(v) for v in numbers if v == int(v) and 0 <= v < _LARGEST]
    near = [v + k for v in written for k in (0, 1, -1)]
    for group in _together(sizes, groups):
        known = min(sizes[name] - more for name, more in group.items())
        others = [known + 1, known - 1, 2 * known, 4 * known, *near, *_SIZES, *sizes.values()]
        for size in dict.fromkeys(others):
            changed = {**sizes, **{name: size + more for name, more in group.items()}}
            if size != known and min(changed.values()) >= 0 and _elements(trial, changed) <= _MOST:
                yield changed


def _together(sizes: dict[str, int], groups: Groups) -> Iterator[Mapping[str, int]]:
    """Dimensions that vary together; where none are known single ones, and those of one size."""
    known = [group for group in groups if group.keys() <= sizes.keys()]
    yield from known
    rest = [name for name in sizes if not any(name in group for group in known)]
    yield from ({name: 0} for name in rest)
    for size in dict.fromkeys(sizes[name] for name in rest):
        alike = [name for name in rest if sizes[name] == size]
        if len(alike) > 1:
            yield dict.fromkeys(alike, 0)
    if len(known) + len(rest) > 1:
        least = min(sizes.values())
        yield {name: size - least for name, size in sizes.items()}


def _elements(trial: Trial, sizes: Mapping[str, int]) -> int:
    every = (*trial.slots, *(trial.init or ()))
    shapes = (slot.dims for slot in every if slot.kind == "array")
    return sum(math.prod(sizes.get(d, 1) for d in dims) for dims in shapes)


def _other_ranks(trial: Trial) -> Iterator[Trial]:
    """One array, or all arrays, with another number of axes, of a size that is there already."""
    free = [s for s in trial.slots if s.kind == "array" and not s.traits and _is_free(s)]
    usual = next((size for size in trial.sizes.values() if size), 4)
    for rank in RANKS:
        for chosen in ([one] for one in free):
            yield _ranked(trial, chosen, rank, usual)
        if len(free) > 1:
            yield _ranked(trial, free, rank, usual)


def _ranked(trial: Trial, chosen: list[Slot], rank: int, usual: int) -> Trial:
    names = {slot.name for slot in chosen}
    dims = {name: arrays(name, None, (rank,))[0].dims for name in names}
    slots = tuple(replace(s, dims=dims[s.name]) if s.name in names else s for s in trial.slots)
    new = {d: trial.sizes.get(d, usual) for each in dims.values() for d in each}
    return replace(trial, slots=slots, sizes={**trial.sizes, **new}, edits=())


def _is_free(slot: Slot) -> bool:
    return not any(d.startswith("=") for d in slot.dims)


def _other_dtypes(trial: Trial) -> Iterator[Trial]:
    """All arrays of another dtype, or one; what was exchanged may be none of its values."""
    bare = replace(trial, edits=())
    yield from (replace(bare, dtype=name) for name in _DTYPES if name != trial.dtype)
    open_ones = [s for s in trial.slots if s.kind == "array" and s.dtype is None]
    for slot in open_ones if len(open_ones) > 1 else ():
        for name in _DTYPES:
            yield replace(bare, slots=_exchanged(trial.slots, slot, replace(slot, dtype=name)))


def _other_values(
    trial: Trial, numbers: Sequence[float], rng: np.random.Generator
) -> Iterator[Trial]:
    near = [value + beside for value in numbers for beside in _BESIDE]
    for name, held in build(trial.slots, trial).items():
        kept = [edit for edit in trial.edits if edit[0] != name]
        if isinstance(held, float):
            for value in dict.fromkeys((*near, *_VALUES, *_scaled(held))):
                yield replace(trial, edits=(*kept, (name, 0, value)))
        if not isinstance(held, np.ndarray) or not held.size or held.dtype.kind not in "iufc":
            continue
        own = [edit for edit in trial.edits if edit[0] == name and edit[1] != EVERY]
        front, anywhere = rng.integers((min(held.size, _FRONT), held.size))
        for place in dict.fromkeys((0, held.size - 1, int(front), int(anywhere), EVERY)):
            scaled = _scaled(complex(held.flat[max(place, 0)]).real)
            for value in dict.fromkeys((*near, *_VALUES, *scaled)):
                if held.dtype.kind in "fc" or _is_index(value):
                    others = () if place == EVERY else (e for e in own if e[1] != place)
                    yield replace(trial, edits=(*kept, *others, (name, place, value)))


def _scaled(value: float) -> tuple[float, ...]:
    """Larger and smaller ones, in steps of all magnitudes."""
    if not math.isfinite(value):
        return ()
    steps = tuple(value + step for step in _STEPS)
    return (*steps, *(value * factor for factor in _FACTORS))


def _is_index(value: float) -> bool:
    return float(value).is_integer() and 0 <= value < _LARGEST_INDEX


def _other_arguments(trial: Trial, reading: Reading) -> Iterator[Trial]:
    """Numbers, flags and texts, given, left out, or None."""
    written = [int(v) + k for v in reading.numbers if v == int(v) for k in (0, 1, -1)]
    sizes = [size + k for size in trial.sizes.values() for k in (0, 1, -1)]
    whole = tuple(dict.fromkeys((*written, *_WHOLE, *sizes, math.inf, -math.inf)))
    for old, exchanged in _scalars(trial):
        values: Sequence[object] = ()
        if old.kind == "int" or (old.kind == "choice" and _all_of(old, int)):
            values = whole
        elif old.kind == "bool":
            values = True, False
        elif old.kind == "str" or (old.kind == "choice" and _all_of(old, str)):
            values = reading.texts
        for value in values:
            given = replace(old, kind="choice", choices=(value,), omit=False, nullable=False)
            yield exchanged(replace(given, traits=()))
        if old.omit:
            yield exchanged(left_out(old))
            yield exchanged(replace(old, omit=False))
        if old.kind not in ("array", "none"):
            yield exchanged(replace(old, kind="none", dims=(), items=()))


def _all_of(slot: Slot, kind: type) -> bool:
    return all(isinstance(choice, kind) for choice in slot.choices)


def _scalars(trial: Trial) -> Iterator[tuple[Slot, Callable[[Slot], Trial]]]:
    """Slots of the call and of the constructor, each with what exchanges it."""

    def of_call(old: Slot, new: Slot) -> Trial:
        return replace(trial, slots=_exchanged(trial.slots, old, new))

    def of_constructor(old: Slot, new: Slot) -> Trial:
        return replace(trial, init=_exchanged(trial.init or (), old, new))

    for slots, exchanged in ((trial.slots, of_call), (trial.init or (), of_constructor)):
        for slot in slots:
            if slot.kind != OMITTED and not set(slot.traits) - {OPEN}:
                yield slot, partial(exchanged, slot)


def _exchanged(slots: tuple[Slot, ...], old: Slot, new: Slot) -> tuple[Slot, ...]:
    return tuple(new if slot is old else slot for slot in slots)
