"""Ties across arguments: what only an input at the very edge of a comparison tells apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SHARE = 0.5
_NUMBER_SHARE = 0.9
_DIVIDING_SHARE = 0.4
"""How often an array holds multiples of another's elements, which may divide it."""
_TIMES = (1.0, 2.0, 3.0, 5.0, 6.0, 7.0, 10.0, -1.0, -3.0)


def tie(
    drawn: dict[str, Any], others: Sequence[Any], kept: Collection[str], rng: np.random.Generator
) -> dict[str, Any]:
    """Copy values from one argument to another, exactly or one ULP (of an integer: one) beside.

    In some examples multiples of them.

    Parameters
    ----------
    drawn : dict
        Arguments by name. Arrays and numbers take values from those before them, or after them.
    others : sequence
        Values that may be taken too, such as those of the constructor.
    kept : collection of str
        Arguments that stay as they are, because they have properties to keep.
    rng : numpy.random.Generator

    Returns
    -------
    dict
        New arguments; those of `drawn` are not written.
    """
    sources = [np.asarray(value) for value in others if _comparable(value)]
    tied = dict(drawn)
    order = list(drawn) if rng.random() < _SHARE else list(reversed(drawn))
    for name, value in ((name, drawn[name]) for name in order):
        if not _comparable(value):
            continue
        found = [source for source in sources if _fits(source, np.asarray(value))]
        if found and name not in kept:
            tied[name] = _taken(value, found[int(rng.integers(len(found)))], rng)
        sources.append(np.asarray(tied[name]))
    return tied


def _comparable(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.dtype.kind in "fiu" and value.size > 0
    return isinstance(value, int | float) and not isinstance(value, bool)


def _fits(source: NDArray[Any], target: NDArray[Any]) -> bool:
    """Integers stay what they index: they take elements of integer arrays alone."""
    if target.dtype.kind == "f":
        return True
    return source.dtype.kind in "iu" and source.ndim > 0 and target.ndim > 0


def _taken(value: Any, source: NDArray[Any], rng: np.random.Generator) -> Any:
    if isinstance(value, float):
        # exactly: an array that takes from a number has some elements on both sides of it
        number = float(source.flat[int(rng.integers(source.size))])
        return number if rng.random() < _NUMBER_SHARE else value
    shape, dtype = value.shape, value.dtype
    with np.errstate(all="ignore"):
        placed = _placed(source, shape, rng).astype(dtype)
        if dtype.kind == "f" and rng.random() < _DIVIDING_SHARE:
            placed = (placed * rng.choice(_TIMES, shape)).astype(dtype)
        candidates = _beside(placed, rng)
        return np.where(rng.random(shape) < _SHARE, candidates, value).astype(dtype)


def _placed(source: NDArray[Any], shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[Any]:
    """Values of `source` at their own places where the shapes allow it, else anywhere."""
    if rng.random() < _SHARE:
        try:
            return np.broadcast_to(source, shape)
        except ValueError:
            pass
    return source.ravel()[rng.integers(source.size, size=shape)]


def _beside(values: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    """The same values, some of them moved to a neighbour."""
    step = rng.choice([0, 0, 0, 0, -1, 1], values.shape)
    if values.dtype.kind != "f":
        return np.asarray(values + np.where(rng.random(values.shape) < _SHARE, 0, step))
    toward = np.where(step > 0, np.inf, -np.inf).astype(values.dtype)
    moved = np.nextafter(values, toward)
    return np.where((step == 0) | ~np.isfinite(values) | (values == 0), values, moved)
