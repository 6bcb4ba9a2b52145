"""Seeded inputs: the same trial gives the same arguments, aliasing and layout included."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.inputs.layouts import aliased
from gpuport.verify.inputs.stands import (
    Again,
    Arguments,
    Bound,
    Fresh,
    Inner,
    Iterated,
    Own,
    Random,
    Remade,
    Resolve,
    Stand,
    Strategic,
)
from gpuport.verify.inputs.ties import tie
from gpuport.verify.inputs.values import bools, complexes, confined, floats, integers, like_recorded
from gpuport.verify.sides.strategies import CALL, StrategyError
from gpuport.verify.slots import (
    EVERY,
    FINITE,
    INSTANCE,
    ITERATED,
    LISTED,
    MAPPING,
    MARK,
    OPEN,
    WITHIN,
    Slot,
    Trial,
    size_of,
)

_MIXED = ("float64", "float32", "int64", "int32", "float64")
_NARROW, _NARROW_SHARE = ("uint8", "int16", "complex64", "int8", "uint32"), 0.22
# how often a number is one of NumPy: with arrays of single precision it counts for more
_OF_NUMPY = 0.08
_OTHERWISE_TRUE = 0.15
# up to where a number of the texts is taken for one that counts, and now and then
_COUNTED_NEAR, _COUNTED_FAR, _FAR_SHARE = 200, 5000, 0.2
# how often a whole number is not the one that was recorded
_COUNTED = 0.4
# how often such a number, or another that was recorded, is one of the texts, where these have any
# that is not more than so many times as large or small
_WRITTEN, _TIMES = 0.3, 4
_BESIDE = (1.0, 1 - 1e-9, 1 + 1e-9)
# how often a text is given that is none of those the function compares it with, which is the
# other branch where there is only one
_OTHER_TEXT, _RARER = 0.25, 0.5
_OTHER_TEXTS: tuple[Callable[[str], str], ...] = (
    lambda known: "no such choice",
    lambda known: known.upper() if known != known.upper() else known.lower(),
    lambda known: f"{known}s",
    lambda known: known[:-1],
)

# how often one of several arrays holds plain values
_AS_USUAL = 0.5
_NEVER_PLAIN = frozenset({"recorded", "definite"})

Edit = tuple[str, int, float]  # an argument, an element of it, and what it holds instead


def build(
    slots: tuple[Slot, ...], trial: Trial, salt: int = 0, resolve: Resolve | None = None
) -> Arguments:
    """Arguments by name, in order; omitted ones are left out.

    Parameters
    ----------
    slots : tuple of Slot
        ``trial.slots`` or ``trial.init``.
    trial : Trial
    salt : int
        Keeps a constructor's draws apart from those of the call.
    resolve : callable, optional
        Gives the class or function at a place such as ``package.module:Class``.
    """
    arguments: Arguments = {}
    for name, value in _drawn(slots, trial, salt).items():
        if isinstance(value, _Same):
            arguments[name] = arguments.get(value.name)
        else:
            arguments[name] = Fresh(trial.layout, resolve).of(value)
    if CALL in arguments:
        arguments = _all_at_once(arguments)
    arguments = edited(arguments, trial.edits) if salt == 0 else arguments
    return aliased(arguments, trial.alias, {s.name for s in slots if WITHIN in s.traits})


def draw(trial: Trial) -> None:
    """Draw what the arguments of a trial are made from: what `build` does after it rounds nothing.

    Of an instance only; what a function takes is seen where it is called.
    """
    if trial.init is not None:
        _drawn(trial.slots, trial, 0)
        _drawn(trial.init, trial, 1)


def edited(arguments: Arguments, edits: Iterable[Edit]) -> Arguments:
    """The arguments, which may be written into, with single elements or numbers exchanged."""
    for name, index, value in edits:
        held = arguments.get(name)
        if isinstance(held, np.ndarray) and index == EVERY:
            held[...] = value
        elif isinstance(held, np.ndarray) and index < held.size:
            held.flat[index] = value
        elif isinstance(held, float):
            arguments = {**arguments, name: type(held)(value)}
    return arguments


def _all_at_once(arguments: Arguments) -> Arguments:
    """The arguments that one strategy made together."""
    every = arguments.pop(CALL)
    if isinstance(every, Stand):
        return arguments
    if not isinstance(every, Mapping):
        raise StrategyError(f"it must give a dictionary of arguments, not {every!r:.80}")
    return {**arguments, **every}


_CONTAINERS: dict[str, Callable[[Iterable[Any]], Any]] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset,
}  # fmt: skip
_OMITTED = object()


@dataclass(frozen=True, slots=True)
class _Same:
    """The argument of this name."""

    name: str


# each example is built for four or more calls, and drawing takes longer than the calls of most
_recent: deque[tuple[tuple[Slot, ...], Trial, int, Arguments]] = deque(maxlen=4)


def _drawn(slots: tuple[Slot, ...], trial: Trial, salt: int) -> Arguments:
    """What `build` makes arguments from: plain values, never handed out themselves."""
    for known, same, number, drawn in _recent:
        if same is trial and known is slots and number == salt:
            return drawn
    rng = np.random.default_rng([*trial.seed, salt])
    drawn = {}
    for slot in slots:
        value = _draw(slot, trial, rng)
        if slot.kind == "same":
            value = _Same(slot.dtype or "")
        if value is not _OMITTED:
            drawn[slot.name] = value
    if trial.tied:
        own = _drawn(trial.init, trial, 1) if trial.init and salt == 0 else {}
        kept = {slot.name for slot in slots if slot.traits}
        drawn = tie(drawn, list(own.values()), kept, np.random.default_rng([*trial.seed, salt, 3]))
    _recent.append((slots, trial, salt, drawn))
    return drawn


def _draw(slot: Slot, trial: Trial, rng: np.random.Generator) -> Any:
    # drawn even where unused, so that the other arguments do not depend on the outcome
    left_out, empty = rng.random() < 0.4, rng.random() < 0.3
    if slot.kind == "omitted" or (slot.omit and left_out):
        return _OMITTED
    if slot.nullable and empty:
        return None
    match slot.kind:
        case "array":
            drawn = _array(slot, trial, rng)
            return drawn.tolist() if LISTED in slot.traits else drawn
        case "list" | "tuple" | "set" | "frozenset":
            kind = Iterated if ITERATED in slot.traits else _CONTAINERS[slot.kind]
            return kind(_draw(item, trial, rng) for item in slot.items)
        case "dict":
            return {item.name: _draw(item, trial, rng) for item in slot.items}
        case "choice" | "str":
            known = slot.choices or ("",)
            chosen = known[int(rng.integers(len(known)))]
            if OPEN not in slot.traits or rng.random() >= _OTHER_TEXT / len(known) ** _RARER:
                return chosen
            return _OTHER_TEXTS[int(rng.integers(len(_OTHER_TEXTS)))](chosen)
        case "generator":
            return Random(int(rng.integers(1 << 31)))
        case "none" | "same":
            return None
        case "own":
            return Own(slot.dtype or "")
        case "size":
            return size_of(slot.dims[0], trial.sizes)
        case "made":
            sizes = {name: trial.sizes[name] for name in slot.dims}
            return Strategic(slot.dtype or "", int(rng.integers(1 << 31)), sizes)
        case "near":
            return _near(slot.choices[0], trial, rng)
        case "scalar":
            return np.dtype(slot.dtype).type(slot.choices[0])
        case "callable" | "object" | "instance" | "reduced" | "bound" | "inner" | "again":
            return _standing(slot, [(item.name, _draw(item, trial, rng)) for item in slot.items])
    if slot.traits:
        return _declared_number(slot, trial, rng)
    value = _scalar(slot.kind, trial, rng)
    return value if rng.random() >= _OF_NUMPY else np.asarray(value)[()]


def _standing(slot: Slot, parts: list[tuple[str, Any]]) -> Any:
    """What stands for an object or a function, with what was drawn for its parts."""
    place = slot.dtype or ""
    drawn = [value for _, value in parts]
    match slot.kind:
        case "reduced":
            arguments, state, items, pairs = drawn
            return Remade(place, arguments, state, items, pairs, _mark(slot))
        case "bound":
            return Bound(drawn[0], place)
        case "inner":
            return Inner(place, *drawn)
        case "again":
            return Again(place)
        case "callable":
            return Stand(place)
    given = {name: value for name, value in parts if value is not _OMITTED}
    held = given.pop(MAPPING, {}) if MAPPING in slot.traits else None
    return Stand(place, given, held, slot.kind == INSTANCE, _mark(slot))


def _mark(slot: Slot) -> str:
    """What others in the same argument refer to the object by."""
    return next((t for t in slot.traits if t.startswith(MARK)), "")


def _declared_number(slot: Slot, trial: Trial, rng: np.random.Generator) -> Any:
    """A Python number inside what was declared."""
    value = _array(replace(slot, kind="array", dims=(), dtype=_PLAIN[slot.kind]), trial, rng)
    return value.item()


_PLAIN = {"int": "int64", "float": "float64", "bool": "bool", "complex": "complex128"}


def _near(value: float, trial: Trial, rng: np.random.Generator) -> float:
    """The recorded number, or one of its kind: what it means is not known."""
    if isinstance(value, int):
        if trial.family == "recorded" or value < 1 or rng.random() >= _COUNTED:
            return value
        whole = (int(v) + k for v in trial.literals if v == int(v) for k in (0, 1))
        counts = [count for count in whole if 1 <= count <= _TIMES * value]
        if counts and rng.random() < _WRITTEN:
            return int(rng.choice(counts))
        # where it counts something, few show what many hide; more may take too long
        return int(rng.choice([1, 2, 3, value // 2, value - 1, value + 1]))
    if trial.family == "specials":
        return value
    written = [v for v in trial.literals if value and 1 / _TIMES <= v / value <= _TIMES]
    if written and rng.random() < _WRITTEN:
        return float(rng.choice(written)) * float(rng.choice(_BESIDE))
    return value * float(rng.choice([1.0, 1.0, 0.5, 1.25, 0.9]))


def _scalar(kind: str, trial: Trial, rng: np.random.Generator) -> Any:
    if kind == "bool":
        truth = bool(rng.integers(2))
        # as callers write them too: what is true need not be `True`
        return truth if rng.random() >= _OTHERWISE_TRUE else (int, np.bool_)[rng.integers(2)](truth)
    near = rng.random() < 0.25 or trial.family == "thresholds"
    if kind == "int":
        size = min(trial.sizes.values(), default=3)
        usual = [1, 2, 3, -2, 0, 4, 0, -1, 5, 9, 20, size, size, size + 1, max(size - 1, 0)]
        most = _COUNTED_FAR if rng.random() < _FAR_SHARE else _COUNTED_NEAR
        found = [
            int(v) + k for v in trial.literals if v == int(v) and abs(v) < most for k in (0, 1)
        ]
        return int(rng.choice(found if near and found else usual))
    family = "thresholds" if near and trial.literals else trial.family
    if family == "specials" and rng.random() < 0.7:
        family = "normal"  # a NaN for a number hides what the arrays do
    value = float(floats((), family, rng, trial.literals))
    if kind == "complex":
        return complex(value, float(floats((), trial.family, rng)))
    return value


def _array(slot: Slot, trial: Trial, rng: np.random.Generator) -> NDArray[Any]:
    shape = tuple(size_of(d, trial.sizes) for d in slot.dims)
    trial = _of_its_own(trial, rng)
    dtype = np.dtype(_dtype(slot, trial, rng))
    if WITHIN in slot.traits or FINITE in slot.traits:
        return confined(slot, shape, dtype, trial, rng)
    if trial.family == "recorded" and slot.domain:
        return like_recorded(slot, shape, dtype, rng)
    if dtype.kind == "b":
        values: NDArray[Any] = bools(shape, trial.family, rng)
    elif dtype.kind in "iu":
        values = integers(shape, dtype, trial, rng)
    elif dtype.kind == "c":
        values = complexes(shape, trial.family, rng, trial.literals)
    else:
        values = floats(shape, trial.family, rng, trial.literals)
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def _of_its_own(trial: Trial, rng: np.random.Generator) -> Trial:
    """The trial as one of several arrays sees it: now and then it is plain beside the others.

    A NaN in each argument hides what one in the first does.
    """
    if trial.apart and trial.family not in _NEVER_PLAIN and rng.random() < _AS_USUAL:
        return replace(trial, family="normal")
    return trial


def _dtype(slot: Slot, trial: Trial, rng: np.random.Generator) -> str:
    if slot.dtype is not None:
        return slot.dtype
    if trial.dtype == "mixed":
        return str(rng.choice(_NARROW if rng.random() < _NARROW_SHARE else _MIXED))
    return trial.dtype


def shown(trial: Trial) -> str:
    """What a trial gives the function, as people read it."""
    return describe(build(trial.slots, trial))


def describe(arguments: Mapping[str, Any]) -> str:
    """One line for people: ``x: float64 (4, 3), n=2``."""
    return ", ".join(f"{name}: {_describe(value)}" for name, value in arguments.items())


def _describe(value: Any) -> str:
    if isinstance(value, Remade | Inner):
        return value.place.rpartition(":")[2]
    if isinstance(value, Bound):
        return f"{_describe(value.of)}.{value.name}"
    if isinstance(value, np.ndarray):
        shown = f" = {value.tolist()}" if value.size <= 4 else ""
        return f"{value.dtype} {value.shape}{shown}"
    if isinstance(value, list | tuple):
        kind = "iterator" if isinstance(value, Iterated) else type(value).__name__
        return f"{kind}[{'; '.join(_describe(v) for v in value[:3])}]"
    if isinstance(value, Stand):
        return value.place.rpartition(":")[2] + (
            "" if value.attributes is None else f"({describe(value.attributes)})"
        )
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {_describe(v)}' for k, v in list(value.items())[:4])}}}"
    return f"{value!r:.200}"
