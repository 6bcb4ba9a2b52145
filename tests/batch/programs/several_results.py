"""Decompositions kept as they are given, several arrays for each item, in every kind of loop."""

from itertools import starmap

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def by_range(stack: NDArray[np.float64]):
    found = []
    for i in range(stack.shape[0]):
        a = stack[i]
        found.append(np.linalg.qr(a))
    return found


def by_number(matrices: list[Matrix]):
    found = [None] * len(matrices)
    for i, a in enumerate(matrices):
        found[i] = np.linalg.slogdet(a)
    return found


def by_key(matrices: dict[str, Matrix]):
    return {k: np.linalg.eigh(a + a.T) for k, a in matrices.items()}


def into_dict(matrices: dict[str, Matrix]):
    found = {}
    for k, a in matrices.items():
        found[k] = np.linalg.svd(a, full_matrices=False)
    return found


def pairs(matrices: list[Matrix], weights: list[Matrix]):
    return [np.linalg.eigh(w @ a @ a.T @ w.T) for a, w in zip(matrices, weights)]


def mapped(matrices: list[Matrix], weights: list[Matrix]):
    return list(starmap(lambda a, w: np.linalg.svd(a @ w), zip(matrices, weights)))


def under_a_name(stack: NDArray[np.float64]):
    found = []
    for a in stack:
        parts = np.linalg.svd(2.0 * a, full_matrices=False)
        found.append(parts)
    return found


def chosen(matrices: list[Matrix]):
    return [np.linalg.slogdet(a) for a in matrices if a[0, 0] > 0.0]


def by_attribute(stack: NDArray[np.float64]):
    kept = []
    for i in range(len(stack)):
        kept.append(np.linalg.eigh(stack[i] + stack[i].T))
    return [k.eigenvalues[-1] for k in kept], [abs(k.eigenvectors) for k in kept]


def largest_by_name(stack: NDArray[np.float64]):
    found, logs = np.zeros(len(stack)), []
    for i in range(len(stack)):
        kept = np.linalg.eigh(stack[i] + stack[i].T)
        found[i] = kept.eigenvalues[-1]
        logs.append(np.linalg.slogdet(stack[i]).logabsdet)
    return found, logs


def frames_by_name(matrices: dict[str, Matrix]):
    return {k: abs(np.linalg.qr(a).Q) for k, a in matrices.items()}


def with_residuals(matrices: list[Matrix], b: NDArray[np.float64]):
    return [np.linalg.lstsq(a, b, rcond=None) for a in matrices]


def first_of_least_squares(matrices: list[Matrix], b: NDArray[np.float64]):
    found = []
    for a in matrices:
        solved = np.linalg.lstsq(a, b, rcond=None)
        found.append(solved[0])
    return found


def _stack(n=5, k=4, kind=float):
    rng = np.random.default_rng(7)
    found = rng.normal(size=(n, k, k))
    return (found + 1j * rng.normal(size=found.shape) if kind is complex else found).astype(kind)


def _ragged():
    rng = np.random.default_rng(3)
    return [rng.normal(size=(k, k)) for k in (3, 5, 3, 2, 5)]


def _tall():
    rng = np.random.default_rng(4)
    return [rng.normal(size=(6, k)) for k in (3, 2, 3, 3)]


CASES = {
    "by_range": lambda: (_stack(),),
    "by_range-none": lambda: (np.zeros((0, 4, 4)),),
    "by_range-single": lambda: (_stack(kind=np.float32),),
    "by_range-one": lambda: (_stack(1),),
    "by_number": lambda: (list(_stack()),),
    "by_number-ragged": lambda: (_ragged(),),
    "by_number-none": lambda: ([],),
    "by_number-nan": lambda: ([*_stack(2), np.full((4, 4), np.nan)],),
    "by_key": lambda: (dict(zip("zbacd", _ragged())),),
    "by_key-none": lambda: ({},),
    "into_dict": lambda: (dict(zip("zbacd", _ragged())),),
    "pairs": lambda: (_ragged(), [2.0 * a for a in _ragged()]),
    "pairs-uneven": lambda: (_ragged()[:3], _ragged()),
    "mapped": lambda: (_ragged(), _ragged()[::-1][:1] * 0 + _ragged()),
    "under_a_name": lambda: (_stack(),),
    "under_a_name-none": lambda: (np.zeros((0, 4, 4)),),
    "chosen": lambda: (_ragged(),),
    "largest_by_name": lambda: (_stack(),),
    "largest_by_name-none": lambda: (np.zeros((0, 4, 4)),),
    "frames_by_name": lambda: (dict(zip("zbacd", _ragged())),),
    "by_attribute": lambda: (_stack(),),
    "with_residuals": lambda: (_tall(), np.arange(6.0)),
    "first_of_least_squares": lambda: (_tall(), np.arange(6.0)),
}
