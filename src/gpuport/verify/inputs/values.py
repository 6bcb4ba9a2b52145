"""Values by family: what an array or a number of an example holds."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpuport.verify.slots import Slot, Trial, size_of

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
    "shares",
)
_SPECIALS = (
    (np.nan, np.inf, -np.inf, -0.0, 0.0, 5e-324, 1e-310, 1.0),
    (np.nan, np.nan, 0.0),
    (np.nan,),
    (np.inf, 1.0),
    (-np.inf, 0.0),
    (-0.0, 0.0, 5e-324, 1e-310),
)
_WIDE, _WIDER = 20, 36  # exponents of two that magnitudes spread over, the latter now and then
_TINY, _TINY_ABOVE = (-64, -36), 0.6  # one that all are of, now and then
_SOMETIMES = 0.3
RANGE = "range"  # whole numbers over all that their type holds, its ends among them
ALL_FAMILIES = (*FAMILIES, RANGE)
_AT_THE_ENDS = 0.2
_BLANK = 0.5
_EIGHTH, _EIGHTHS = 0.125, 0.4
_WIDEST = 64
_FEW = 256
# how often one part of a complex number is zero, so that its magnitude is a number of the text
_ON_AXIS = 0.2
# and of these both: a quotient of such two is 0 / 0 as often as one of real numbers
_OFTEN_ZERO = ("ties", "integers")
_BLOCK, _SMALLEST_CUT = 1 << 17, 256
# factors of a number in the text: itself, an ULP and a part of a float32's beside it, elsewhere
_BESIDE = (1.0, 1.0, 1.0, 1 - 2.0**-52, 1 + 2.0**-52, 1 - 1e-9, 1 + 1e-9, 0.5, 1.5, -1.0)
# and where it divides, multiples of it
_MULTIPLES = (
    *_BESIDE, 2.0, 3.0, 3.0 * (1 - 2.0**-52), 5.0, 6.0 * (1 - 2.0**-52), 7.0, 7.0 * (1 + 2.0**-52),
)  # fmt: skip
_PERMUTED = frozenset({"definite", "shares"})  # structure of floats: of integers it is this one
SMOOTH_FAMILIES = frozenset({"normal", "uniform", "wide", "recorded"})


def like_recorded(
    slot: Slot, shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator
) -> NDArray[Any]:
    """Values of the recorded range and properties."""
    low, high = slot.domain
    if dtype.kind in "iu":
        values = rng.integers(int(low), int(high), shape, endpoint=True).astype(dtype)
        return np.sort(values, axis=-1) if "sorted" in slot.traits and shape else values
    if _square("definite" in slot.traits, shape):
        return np.asarray(floats(shape, "definite", rng).astype(dtype))
    return _shaped_by_traits(low + (high - low) * rng.random(shape), slot).astype(dtype)


def _square(wanted: bool, shape: tuple[int, ...]) -> bool:
    return wanted and len(shape) >= 2 and shape[-1] == shape[-2]


def _shaped_by_traits(drawn: NDArray[Any], slot: Slot) -> NDArray[Any]:
    if "integral" in slot.traits:
        drawn = np.round(drawn)
    if "sums" in slot.traits and drawn.ndim:
        with np.errstate(all="ignore"):
            drawn = drawn / drawn.sum(axis=-1, keepdims=True)
    if "sorted" in slot.traits and drawn.ndim:
        drawn = np.sort(drawn, axis=-1)
    return np.asarray(drawn)


def confined(
    slot: Slot,
    shape: tuple[int, ...],
    dtype: np.dtype[Any],
    trial: Trial,
    rng: np.random.Generator,
) -> NDArray[Any]:
    """Values inside what was declared, in every family: range, choices, properties."""
    if slot.choices:
        values: NDArray[Any] = rng.choice(np.asarray(slot.choices), shape)
    elif _square("definite" in slot.traits, shape):
        values = floats(shape, "definite", rng)
    elif dtype.kind in "iu":
        values = _whole_between(*_whole_range(slot, dtype, trial), shape, trial.family, rng)
    elif slot.domain:
        values = _between(slot.domain, shape, trial, rng)
    else:
        values = floats(shape, "ties" if trial.family == "specials" else trial.family, rng)
    return np.asarray(_shaped_by_traits(values, slot)).astype(dtype)


def _whole_range(slot: Slot, dtype: np.dtype[Any], trial: Trial) -> tuple[int, int]:
    low, high = slot.domain or (0.0, 9.0)
    for trait in slot.traits:
        if trait.startswith("below:"):
            high = size_of(trait.partition(":")[2], trial.sizes) - 1
    info = np.iinfo(dtype)
    return max(int(low), info.min), max(min(int(high), info.max), int(low))


def _whole_between(
    low: int, high: int, shape: tuple[int, ...], family: str, rng: np.random.Generator
) -> NDArray[Any]:
    if family == "constant":
        return np.full(shape, rng.integers(low, high, endpoint=True))
    if family in ("ties", "thresholds", "specials"):
        return rng.choice([low, high, min(low + 1, high), max(high - 1, low)], shape)
    values = rng.integers(low, high, shape, endpoint=True)
    return np.sort(values, axis=-1) if family == "sorted" and shape else values


def _between(
    domain: tuple[float, ...], shape: tuple[int, ...], trial: Trial, rng: np.random.Generator
) -> NDArray[Any]:
    low, high = domain
    share = rng.random(shape)
    match trial.family:
        case "constant":
            share = np.full(shape, rng.choice([0.0, 1.0, 0.5, float(rng.random())]))
        case "ties" | "integers":
            share = np.round(8 * share) / 8
        case "wide":
            share = 10.0 ** (-6 * share)
        case "sorted":
            share = np.sort(share, axis=-1) if shape else share
        case "specials" | "definite":
            share = np.where(rng.random(shape) < 0.3, np.round(share), share)
    values = np.clip(low + (high - low) * share, low, high)
    near = [v for v in trial.literals if low <= v <= high]
    if trial.family == "thresholds" and near:
        beside = rng.choice(near, shape) * rng.choice(_BESIDE, shape)
        values = np.where(rng.random(shape) < 0.6, np.clip(beside, low, high), values)
    return np.asarray(values)


def integers(
    shape: tuple[int, ...], dtype: np.dtype[Any], trial: Trial, rng: np.random.Generator
) -> NDArray[Any]:
    """Index-like values most of the time, then negative ones, ties, large ones, permutations."""
    info = np.iinfo(dtype)
    if trial.family == RANGE:
        return _all_over(shape, dtype, rng)
    if trial.family in _PERMUTED and shape and shape[-1] <= info.max:
        return rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)
    bound = max(min((s for s in trial.sizes.values() if s > 0), default=5), 1)
    chance = rng.random()
    far = 1 << (40 if chance < _SOMETIMES else 20)
    if chance > 1 - _SOMETIMES and math.prod(shape) <= _FEW:
        far = 1 << 54  # no float holds the sum of such ones
    low, high = {
        "ties": (-2, 3),
        "integers": (-9, 10),
        "wide": (-far, far),
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


def _all_over(
    shape: tuple[int, ...], dtype: np.dtype[Any], rng: np.random.Generator
) -> NDArray[Any]:
    """Whole numbers of any magnitude that the type holds, its lowest and highest among them."""
    info = np.iinfo(dtype)
    if info.bits == _WIDEST:
        # the sum of all is still held: whether a mean wraps is NumPy's own affair
        far = (1 << (_WIDEST - 2)) // max(math.prod(shape), 1)
        drawn = rng.integers(-far if info.min else 0, far, shape, dtype=dtype.type, endpoint=True)
        if drawn.size:
            drawn.flat[rng.integers(drawn.size)] = info.max // 2 + 1
        return drawn
    drawn = rng.integers(info.min, info.max, shape, dtype=dtype.type, endpoint=True)
    if rng.random() < _SOMETIMES:
        drawn = drawn >> rng.integers(0, info.bits, shape).astype(dtype)
    ends = np.array([info.min, info.max, info.max - 1, info.max // 2 + 1], dtype)
    drawn = np.where(rng.random(shape) < _AT_THE_ENDS, rng.choice(ends, shape), drawn)
    if drawn.size:
        drawn.flat[rng.integers(drawn.size)] = info.min if info.min else info.max
    return drawn


def bools(shape: tuple[int, ...], family: str, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Masks; all alike where a family is constant."""
    if family == "constant":
        return np.full(shape, bool(rng.integers(2)))
    return rng.integers(0, 2, shape).astype(bool)


def complexes(
    shape: tuple[int, ...],
    family: str,
    rng: np.random.Generator,
    literals: tuple[float, ...] = (),
) -> NDArray[np.complex128]:
    """Complex numbers, all of them real now and then; of special ones NaN in either part alone."""
    # which part of a complex infinity is infinite is fixed nowhere: none is drawn
    usual = "wide" if family == "specials" else family
    values = np.empty(shape, complex)
    values.real = floats(shape, usual, rng, literals)
    values.imag = floats(shape, usual, rng, literals)
    if usual == "thresholds":
        # a number of the text is a magnitude where the other part is zero
        part = rng.random(shape)
        values = np.where(part < _ON_AXIS, values.real, values)
        values = np.where(part > 1 - _ON_AXIS, 1j * values.imag, values)
    if usual in _OFTEN_ZERO:
        values = np.where(rng.random(shape) < _ON_AXIS, 0, values)
    if family == "specials":
        missing = rng.random(shape)
        values.real[missing < _ON_AXIS / 2] = np.nan
        values.imag[(missing > _ON_AXIS / 4) & (missing < _ON_AXIS)] = np.nan
    elif rng.random() < _ON_AXIS:
        values.imag = 0.0
    return values


def _normal(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Standard normal values; larger arrays are cut from a block, each times a factor of its own.

    Drawing one by one would take longer than most functions. The factor keeps two arrays that
    overlap in the block from having equal elements.
    """
    size = math.prod(shape)
    if not _SMALLEST_CUT <= size <= _BLOCK // 8:
        return np.asarray(rng.normal(size=shape))
    start = int(rng.integers(_BLOCK - size))
    return _block()[start : start + size].reshape(shape) * (0.5 + rng.random())


@cache
def _block() -> NDArray[np.float64]:
    return np.random.default_rng(0).normal(size=_BLOCK)


def floats(
    shape: tuple[int, ...],
    family: str,
    rng: np.random.Generator,
    literals: tuple[float, ...] = (),
) -> NDArray[np.float64]:
    """Floats of `shape` from a family; `literals` are the numbers of ``thresholds``."""
    match family:
        case "thresholds" if literals:
            # on, just beside and well between the numbers at which the function may branch
            step = rng.choice([0.0, 0.0, 0.0, -1e-9, 1e-9, -0.5, 0.5, -1.0, 1.0], shape)
            factor = rng.choice(_MULTIPLES, shape)
            return np.asarray(rng.choice(np.asarray(literals), shape) * factor + step, float)
        case "ties":
            # halves of the second digit, or of none
            part = _EIGHTH if rng.random() < _EIGHTHS else 0.5
            return _blanked(np.asarray(rng.integers(-5, 6, shape) * part, float), rng)
        case "integers":
            return _blanked(rng.integers(-4, 5, shape).astype(float), rng)
        case "uniform":
            sign = -1.0 if rng.random() < _SOMETIMES else 1.0
            return np.asarray(sign * rng.random(shape))
        case "constant":
            return np.full(shape, float(rng.choice([0.0, 1.0, -2.5, 0.1, 3.0])))
        case "shares":
            # not negative, and one together along the last axis: probabilities, weights
            parts = np.asarray(rng.random(shape))
            return parts / parts.sum(axis=-1, keepdims=True) if shape and parts.size else parts
    normal = _normal(shape, rng)
    match family:
        case "wide":
            chance = rng.random()
            spread = _WIDER if chance < _SOMETIMES else _WIDE
            exponents = rng.integers(-spread, spread, shape, np.int32, endpoint=True)
            if chance > _TINY_ABOVE:
                exponents[...] = rng.integers(*_TINY)  # beside what is taken for zero
            return np.asarray(np.ldexp(normal, exponents))
        case "sorted":
            upwards = np.sort(normal, axis=-1) if shape else np.asarray(normal)
            return upwards[..., ::-1].copy() if shape and rng.random() < _SOMETIMES else upwards
        case "specials":
            return _with_specials(normal, rng)
        case "definite" if len(shape) >= 2 and shape[-1] == shape[-2]:
            return np.asarray(
                normal @ normal.swapaxes(-1, -2) + shape[-1] * np.eye(shape[-1]), float
            )
        case "definite":
            return np.abs(normal) + 0.5
    return np.asarray(normal)


def _blanked(drawn: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """With a row or column of zeros now and then: what is divided by its sum, or by its norm."""
    if drawn.ndim > 1 and drawn.size and rng.random() < _BLANK:
        lines = np.moveaxis(drawn, int(rng.integers(drawn.ndim)), 0)
        lines[rng.integers(len(lines))] = 0.0
    return drawn


def _with_specials(normal: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Some elements, and perhaps a whole line, NaN, infinite, zero of either sign or subnormal."""
    drawn = np.array(normal)
    # all together hide one another: NaN alone tells what a sum of infinities cannot
    kinds = _SPECIALS[int(rng.integers(len(_SPECIALS)))]
    where = rng.random(drawn.shape) < rng.choice([0.1, 0.3])
    drawn[where] = rng.choice(kinds, int(where.sum()))
    if drawn.size:
        drawn.flat[rng.integers(drawn.size)] = kinds[0]
    if drawn.ndim > 1 and drawn.size and rng.random() < 0.5:
        # a row or a column
        lines = np.moveaxis(drawn, int(rng.integers(drawn.ndim)), 0)
        lines[rng.integers(len(lines))] = rng.choice([np.nan, np.inf, -np.inf, 0.0])
    return drawn
