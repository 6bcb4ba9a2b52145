"""Seeded inputs: the same trial gives the same arguments, aliasing and layout included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.slots import Slot, Trial

FAMILIES = (
    "normal",
    "ties",
    "uniform",
    "integers",
    "constant",
    "wide",
    "specials",
    "thresholds",
    "sorted",
    "specials",
    "definite",
)
_SPECIALS = (
    (np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, 1e-310, 1.0),
    (np.nan, np.nan, 0.0),
    (np.nan,),
    (np.inf, 1.0),
    (-np.inf, 0.0),
    (-0.0, 0.0, 5e-324, 1e-310),
)
SMOOTH_FAMILIES = frozenset({"normal", "uniform", "wide", "recorded"})
LAYOUTS = ("C", "C", "F", "strided", "C", "reversed")

Arguments = dict[str, Any]
Resolve = Callable[[str], Any]


@dataclass(frozen=True, slots=True)
class Stand:
    """What stands for an object or a callable where no program is loaded."""

    place: str
    attributes: Arguments | None = None


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
    rng = np.random.default_rng([*trial.seed, salt])
    arguments: Arguments = {}
    for slot in slots:
        drawn = _draw(slot, trial, rng, resolve)
        if slot.kind == "same":
            drawn = arguments.get(slot.dtype or "")
        if drawn is not _OMITTED:
            arguments[slot.name] = drawn
    return _aliased(arguments, trial.alias)


_OMITTED = object()


def _draw(slot: Slot, trial: Trial, rng: np.random.Generator, resolve: Resolve | None) -> Any:
    # drawn even where unused, so that the other arguments do not depend on the outcome
    left_out, empty = rng.random() < 0.4, rng.random() < 0.3
    if slot.omit and left_out:
        return _OMITTED
    if slot.nullable and empty:
        return None
    match slot.kind:
        case "array":
            return _array(slot, trial, rng)
        case "list":
            return [_draw(item, trial, rng, resolve) for item in slot.items]
        case "tuple":
            return tuple(_draw(item, trial, rng, resolve) for item in slot.items)
        case "dict":
            return {item.name: _draw(item, trial, rng, resolve) for item in slot.items}
        case "choice" | "str":
            return slot.choices[int(rng.integers(len(slot.choices)))] if slot.choices else ""
        case "generator":
            return np.random.default_rng(int(rng.integers(1 << 31)))
        case "none" | "same":
            return None
        case "near":
            return _near(slot.choices[0], trial, rng)
        case "scalar":
            return np.dtype(slot.dtype).type(slot.choices[0])
        case "callable":
            return Stand(slot.dtype or "") if resolve is None else resolve(slot.dtype or "")
        case "object":
            return _object(slot, trial, rng, resolve)
    return _scalar(slot.kind, trial, rng)


def _near(value: float, trial: Trial, rng: np.random.Generator) -> float:
    """The recorded number, or one of its kind: what it means is not known."""
    factor = float(rng.choice([1.0, 1.0, 0.5, 1.25, 0.9]))
    return value * factor if trial.family != "specials" else value


def _object(slot: Slot, trial: Trial, rng: np.random.Generator, resolve: Resolve | None) -> Any:
    """An instance made without its constructor: the recorded attributes are its state."""
    attributes = {item.name: _draw(item, trial, rng, resolve) for item in slot.items}
    if resolve is None:
        return Stand(slot.dtype or "", attributes)
    kind = resolve(slot.dtype or "")
    made = kind.__new__(kind)
    made.__dict__.update(attributes)
    return made


def _scalar(kind: str, trial: Trial, rng: np.random.Generator) -> Any:
    if kind == "bool":
        return bool(rng.integers(2))
    near = rng.random() < 0.25 or trial.family == "thresholds"
    if kind == "int":
        size = min(trial.sizes.values(), default=3)
        usual = [1, 2, 3, 2, 1, 4, 0, -1, 5, 9, 20, size, size, size + 1, max(size - 1, 0)]
        found = [int(v) + k for v in trial.literals if v == int(v) and abs(v) < 200 for k in (0, 1)]
        return int(rng.choice(found if near and found else usual))
    family = "thresholds" if near and trial.literals else trial.family
    if family == "specials" and rng.random() < 0.7:
        family = "normal"  # a NaN for a number hides what the arrays do
    value = float(_floats((), family, rng, trial.literals))
    if kind == "complex":
        return complex(value, float(_floats((), trial.family, rng)))
    return value


def _array(slot: Slot, trial: Trial, rng: np.random.Generator) -> NDArray[Any]:
    shape = tuple(int(d[1:]) if d.startswith("=") else trial.sizes[d] for d in slot.dims)
    dtype = np.dtype(_dtype(slot, trial, rng))
    if trial.family == "recorded" and slot.domain:
        return _laid_out(_like_recorded(slot, shape, dtype, rng), trial.layout)
    if dtype.kind == "b":
        values: NDArray[Any] = rng.integers(0, 2, shape).astype(bool)
    elif dtype.kind in "iu":
        values = _integers(shape, dtype, trial, rng)
    elif dtype.kind == "c":
        # which part of a complex infinity is infinite is fixed nowhere: none is drawn
        family = "wide" if trial.family == "specials" else trial.family
        values = np.empty(shape, complex)
        values.real = _floats(shape, family, rng, trial.literals)
        values.imag = _floats(shape, family, rng, trial.literals)
    else:
        values = _floats(shape, trial.family, rng, trial.literals)
    with np.errstate(all="ignore"):
        return _laid_out(np.asarray(values).astype(dtype), trial.layout)


def _like_recorded(
    slot: Slot, shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator
) -> NDArray[Any]:
    """Values of the recorded range and properties."""
    low, high = slot.domain
    if dtype.kind in "iu":
        values = rng.integers(int(low), int(high), shape, endpoint=True).astype(dtype)
        return np.sort(values, axis=-1) if "sorted" in slot.traits and shape else values
    drawn = low + (high - low) * rng.random(shape)
    if "definite" in slot.traits and len(shape) >= 2 and shape[-1] == shape[-2]:
        return np.asarray(_floats(shape, "definite", rng).astype(dtype))
    if "integral" in slot.traits:
        drawn = np.round(drawn)
    if "sums" in slot.traits and shape:
        drawn = drawn / drawn.sum(axis=-1, keepdims=True)
    if "sorted" in slot.traits and shape:
        drawn = np.sort(drawn, axis=-1)
    return np.asarray(drawn).astype(dtype)


def _dtype(slot: Slot, trial: Trial, rng: np.random.Generator) -> str:
    if slot.dtype is not None:
        return slot.dtype
    if trial.dtype == "mixed":
        return str(rng.choice(["float64", "float32", "int64", "int32", "float64"]))
    return trial.dtype


def _integers(
    shape: tuple[int, ...], dtype: np.dtype[Any], trial: Trial, rng: np.random.Generator
) -> NDArray[Any]:
    """Index-like values most of the time, then negative ones, ties and large ones."""
    info = np.iinfo(dtype)
    bound = max(min((s for s in trial.sizes.values() if s > 0), default=5), 1)
    low, high = {
        "ties": (-2, 3),
        "integers": (-9, 10),
        "wide": (-(1 << 20), 1 << 20),
        "specials": (-bound, bound),
    }.get(trial.family, (0, bound))
    drawn = rng.integers(max(low, info.min), min(high, info.max), shape)
    near = [int(v) for v in trial.literals if v == int(v) and info.min < v < info.max]
    near += [0, bound - 1, bound, bound + 1, -1]  # the ends of what an index may be
    if trial.family == "thresholds":
        drawn = np.clip(rng.choice(near, shape) + rng.integers(-1, 2, shape), info.min, info.max)
    if trial.family == "constant" and drawn.size:
        drawn = np.full_like(drawn, drawn.flat[0])
    return np.sort(drawn, axis=-1) if trial.family == "sorted" and drawn.ndim else drawn


def _floats(
    shape: tuple[int, ...],
    family: str,
    rng: np.random.Generator,
    literals: tuple[float, ...] = (),
) -> NDArray[np.float64]:
    normal = rng.normal(size=shape)
    match family:
        case "thresholds" if literals:
            # on, just beside and well between the numbers at which the function may branch
            step = rng.choice([0.0, 0.0, -1e-9, 1e-9, -0.5, 0.5, -1.0, 1.0], shape)
            factor = rng.choice([1.0, 1.0, 1.0, 0.5, 1.5, -1.0], shape)
            return np.asarray(rng.choice(np.asarray(literals), shape) * factor + step, float)
        case "ties":
            return np.asarray(rng.integers(-5, 6, shape) * 0.5, float)
        case "integers":
            return rng.integers(-4, 5, shape).astype(float)
        case "uniform":
            return rng.random(shape)
        case "constant":
            return np.full(shape, float(rng.choice([0.0, 1.0, -2.5, 0.1, 3.0])))
        case "wide":
            return normal * 10.0 ** rng.uniform(-6, 6, shape)
        case "sorted":
            return np.sort(normal, axis=-1) if shape else np.asarray(normal)
        case "specials":
            values = np.asarray(normal).copy()
            # all together hide one another: NaN alone tells what a sum of infinities cannot
            kinds = rng.choice(_SPECIALS[int(rng.integers(len(_SPECIALS)))], shape)
            drawn = np.where(rng.random(shape) < rng.choice([0.1, 0.3]), kinds, values)
            if drawn.ndim > 1 and drawn.shape[0] and rng.random() < 0.5:
                drawn[rng.integers(drawn.shape[0])] = rng.choice([np.nan, np.inf, -np.inf, 0.0])
            return drawn
        case "definite" if len(shape) >= 2 and shape[-1] == shape[-2]:
            return np.asarray(
                normal @ normal.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1]), float
            )
        case "definite":
            return np.abs(normal) + 0.5
    return np.asarray(normal)


def _laid_out(values: NDArray[Any], layout: str) -> NDArray[Any]:
    if values.ndim == 0:
        return values
    if layout == "F":
        return np.asfortranarray(values)
    if layout == "reversed":
        return np.ascontiguousarray(values[::-1])[::-1]
    if layout == "strided":
        # the gaps hold a sentinel: a port that ignores strides reads or overwrites it
        base = np.full((*values.shape[:-1], 2 * values.shape[-1]), 77, values.dtype)
        base[..., ::2] = values
        return base[..., ::2]
    return values


def _aliased(arguments: Arguments, alias: str) -> Arguments:
    """Make two arrays of one shape and dtype share memory: the same, or shifted by one."""
    if not alias:
        return arguments
    seen: dict[tuple[Any, ...], str] = {}
    for name, value in arguments.items():
        if not isinstance(value, np.ndarray) or value.size == 0:
            continue
        key = (value.shape, value.dtype)
        if key not in seen:
            seen[key] = name
            continue
        first = arguments[seen[key]]
        if alias == "same":
            return {**arguments, name: first}
        base = np.concatenate([first, value[-1:]]) if value.ndim else first
        if value.ndim:
            return {**arguments, seen[key]: base[:-1], name: base[1:]}
    return arguments


def jittered(arguments: Arguments, rng: np.random.Generator, sign: int = 0) -> Arguments:
    """The same arguments with every finite float moved by one ULP (random sign where 0).

    Where there is no float at all, integer arrays become floats one ULP beside: the response of
    a computation that promotes them.
    """
    found = [leaf for value in arguments.values() for leaf in _float_leaves(value)]
    return {k: _jitter(v, rng, sign, promote=not found) for k, v in arguments.items()}


def widened(arguments: Arguments) -> Arguments:
    """The same arguments in the next wider precision: float32 as float64, that as long double."""
    same: dict[int, Any] = {}

    def widen(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return type(value)(map(widen, value))
        if isinstance(value, dict):
            return {key: widen(item) for key, item in value.items()}
        if isinstance(value, np.ndarray) and value.dtype.kind in "fc":
            if id(value) not in same:
                same[id(value)] = value.astype(_WIDER.get(value.dtype.char, value.dtype))
            return same[id(value)]
        return value

    return {name: widen(value) for name, value in arguments.items()}


_WIDER = {"e": "f4", "f": "f8", "d": "g", "F": "c16", "D": "G"}


def holds_numbers(arguments: Arguments) -> bool:
    """Whether `jittered` has something to move: a float, or an array of numbers."""
    return any(
        _float_leaves(value) or (isinstance(value, np.ndarray) and value.dtype.kind in "iu")
        for value in arguments.values()
    )


def _float_leaves(value: Any) -> list[Any]:
    if isinstance(value, list | tuple):
        return [leaf for item in value for leaf in _float_leaves(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in _float_leaves(item)]
    if isinstance(value, np.ndarray):
        return [value] if value.dtype.kind in "fc" and value.size else []
    return [value] if isinstance(value, float | complex) else []


def _jitter(value: Any, rng: np.random.Generator, sign: int, promote: bool) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(_jitter(item, rng, sign, promote) for item in value)
    if isinstance(value, dict):
        return {k: _jitter(item, rng, sign, promote) for k, item in value.items()}
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "iu" and promote:
            value = value.astype(float)
        if value.dtype.kind not in "fc":
            return value
        if value.dtype.kind == "c":
            pair = np.stack([value.real, value.imag])
            moved = _nudge(pair, rng, sign)
            value.real, value.imag = moved[0], moved[1]
        else:
            value[...] = _nudge(value, rng, sign)
        return value
    if isinstance(value, complex):
        return value * (1 + float(rng.choice([-1, 1])) * 2.0**-52)
    if isinstance(value, float):
        return float(_nudge(np.asarray(value), rng, sign))
    return value


def _nudge(values: NDArray[Any], rng: np.random.Generator, sign: int) -> NDArray[Any]:
    signs = np.full(values.shape, sign) if sign else rng.choice([-1, 1], values.shape)
    toward = np.where(signs > 0, np.inf, -np.inf).astype(values.dtype)
    moved = np.nextafter(values, toward)
    still: NDArray[Any] = np.where(np.isfinite(values) & (values != 0), moved, values)
    return still.astype(values.dtype)


def describe(arguments: Mapping[str, Any]) -> str:
    """One line for people: ``x: float64 (4, 3), n=2``."""
    return ", ".join(f"{name}: {_describe(value)}" for name, value in arguments.items())


def _describe(value: Any) -> str:
    if isinstance(value, np.ndarray):
        shown = f" = {value.tolist()}" if value.size <= 4 else ""
        return f"{value.dtype} {value.shape}{shown}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}[{'; '.join(_describe(v) for v in value[:3])}]"
    if isinstance(value, Stand):
        return value.place.rpartition(":")[2] + (
            "" if value.attributes is None else f"({describe(value.attributes)})"
        )
    if isinstance(value, dict):
        return f"{{{', '.join(f'{k!r}: {_describe(v)}' for k, v in list(value.items())[:4])}}}"
    return repr(value)
