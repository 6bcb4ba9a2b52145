"""Products of matrices alone, mapped or put to their places."""

from itertools import starmap

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def placed(matrices: list[Matrix], b: Matrix):
    found = [None] * len(matrices)
    for i, a in enumerate(matrices):
        found[i] = a @ b
    return found


def mapped(matrices: list[Matrix], b: Matrix):
    return list(map(lambda a: a @ b, matrices))


def contracted(matrices: list[Matrix], others: list[Matrix]):
    return list(starmap(lambda a, b: np.einsum("ij,jk->ik", a, b), zip(matrices, others)))


def dotted(matrices: list[Matrix], b: Matrix):
    return sum(map(lambda a: np.dot(a, b), matrices))


def numbers_mapped(values: list[float], b: Matrix):
    return list(map(lambda a: a * b, values))


R = np.random.default_rng(8)
RAGGED = [R.normal(size=(k, 3)) for k in (2, 4, 2, 3)]
SQUARE = [R.normal(size=(3, 3)) for _ in range(4)]

CASES = {
    f"{name}-{word}": (lambda matrices=matrices, b=b: (list(matrices), b.copy()))
    for name in ("placed", "mapped")
    for word, matrices in (("ragged", RAGGED), ("square", SQUARE), ("none", []))
    for b in (np.arange(3.0),)
}
CASES |= {
    "placed-matrix": lambda: (list(SQUARE), SQUARE[0]),
    "mapped-wrong": lambda: ([*SQUARE, np.ones((3, 2))], np.ones(3)),
    "contracted": lambda: (list(SQUARE), SQUARE[::-1]),
    "contracted-ragged": lambda: (list(RAGGED), list(SQUARE)),
    "dotted": lambda: (list(SQUARE), np.arange(3.0)),
    "dotted-none": lambda: ([], np.arange(3.0)),
    "numbers_mapped": lambda: ([1.0, 2.0], np.arange(3.0)),
}
