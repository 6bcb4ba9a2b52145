"""Another choice of singular or eigenvectors that is as right: signs, and turns within a cluster.

Vectors of values that are as good as equal may be any basis of what they span, and so may those
beyond the spectrum. Where a function's result stays the same under such a choice it does not depend
on it, and what differs from it is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

_EQUAL = 1e3  # of the unit roundoff, relative to the largest value

Array = NDArray[Any]
_qr = np.linalg.qr  # itself: while a choice is tried another stands in its place


def chosen_anew(name: str, parts: list[Array], rng: np.random.Generator) -> list[Array] | None:
    """The parts of a factorisation under another choice; None where no other is known of.

    Parameters
    ----------
    name : str
        ``svd``, ``eigh``, ``eig`` or ``qr``.
    parts : list of ndarray
        What NumPy's function of this name returns, stacks of matrices included.
    rng : numpy.random.Generator
    """
    made = [np.array(part) for part in parts]
    vectors = made[0 if name in ("svd", "qr") else 1]
    for index in np.ndindex(vectors.shape[:-2]):
        if name == "svd":
            _turn_svd(made[0][index], made[1][index], made[2][index], rng)
        elif name == "qr":
            _turn_qr(made[0][index], made[1][index], rng)
        elif name == "eigh":
            turn = _turn(_clusters(made[0][index]), rng)
            made[1][index] = made[1][index] @ turn
        elif any(len(group) > 1 for group in _clusters(np.sort(np.abs(made[0][index])))):
            return None
        else:
            made[1][index] = made[1][index] * _signs(vectors.shape[-1], rng)
    return made


def _turn_svd(left: Array, values: Array, right: Array, rng: np.random.Generator) -> None:
    count = len(values)
    turn = _turn(_clusters(values), rng)
    left[:, :count] = left[:, :count] @ turn
    right[:count] = turn.T @ right[:count]
    left[:, count:] = left[:, count:] @ _rotation(left.shape[1] - count, rng)
    right[count:] = _rotation(right.shape[0] - count, rng) @ right[count:]


def _turn_qr(left: Array, right: Array, rng: np.random.Generator) -> None:
    count = min(left.shape[-1], right.shape[-1])
    signs = _signs(count, rng)
    left[:, :count] = left[:, :count] * signs
    right[:count] = right[:count] * signs[:, None]
    left[:, count:] = left[:, count:] @ _rotation(left.shape[1] - count, rng)


def _clusters(values: Array) -> Iterator[list[int]]:
    """Neighbours among ordered values that are as good as equal."""
    if not len(values):
        return
    with np.errstate(all="ignore"):
        near = _EQUAL * np.finfo(values.dtype).eps * np.max(np.abs(values))
        apart = np.abs(np.diff(values)) > near
    yield from (list(group) for group in np.split(np.arange(len(values)), 1 + np.nonzero(apart)[0]))


def _turn(clusters: Iterator[list[int]], rng: np.random.Generator) -> Array:
    blocks = [_rotation(len(group), rng) for group in clusters]
    turn = np.zeros((sum(map(len, blocks)),) * 2)
    at = 0
    for block in blocks:
        turn[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return turn


def _rotation(size: int, rng: np.random.Generator) -> Array:
    """An orthogonal matrix; of one element a sign."""
    made = _qr(rng.normal(size=(size, size)))[0] if size > 1 else np.ones((size, size))
    return np.asarray(made * _signs(size, rng))


def _signs(size: int, rng: np.random.Generator) -> Array:
    return np.asarray(rng.choice([-1.0, 1.0], size))
