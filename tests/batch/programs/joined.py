"""Arrays made of what loops collected: of no items there is none, and of unequal ones neither."""

import numpy as np


def powers(matrices: np.ndarray, k):
    return np.stack([np.linalg.matrix_power(m, k) for m in matrices])


def roots(matrices: list[np.ndarray]):
    found = []
    for m in matrices:
        w, v = np.linalg.eigh(m @ m.T)
        found.append((v * np.sqrt(w)) @ v.T)
    return np.stack(found)


def inverses(matrices: np.ndarray):
    return np.stack([np.linalg.inv(m) for m in matrices])


def _made(count, size=3):
    return np.random.default_rng(4).normal(size=(count, size, size)) + 4 * np.eye(size)


CASES = {
    "powers": lambda: (_made(4), 3),
    "powers-one": lambda: (_made(1), 2),
    "powers-none": lambda: (_made(0), 2),
    "powers-list": lambda: (list(_made(3)), 2),
    "powers-no_list": lambda: ([], 2),
    "roots": lambda: (list(_made(4)),),
    "roots-none": lambda: ([],),
    "roots-ragged": lambda: ([*_made(2), *_made(2, 2)],),
    "inverses": lambda: (_made(4),),
    "inverses-none": lambda: (_made(0),),
}
