"""Loops over the places that a mask gives: ``for k in np.flatnonzero(good)``."""

import numpy as np

R = np.random.default_rng(5)
A = R.normal(size=(6, 3, 3)) + 3 * np.eye(3)
X = R.normal(size=(6, 3))
GOOD = np.array([True, False, True, True, False, True])
SINGULAR = A.copy()
SINGULAR[2] = 1.0


def inverses(a: np.ndarray, good: np.ndarray):
    out = np.zeros_like(a)
    for k in np.flatnonzero(good):
        out[k] = np.linalg.inv(a[k])
    return out


def solved(a: np.ndarray, x: np.ndarray, weights: np.ndarray):
    out, fa = np.full(x.shape, np.nan), np.zeros(len(x))
    ok = weights > 0.5
    for k in np.where(ok)[0]:
        c = a[k].T @ a[k]
        out[k] = np.linalg.solve(c, x[k])
        fa[k] = np.linalg.eigvalsh(c)[-1]
    return out, fa


def collected(a: np.ndarray, good: np.ndarray):
    out = []
    for k in np.nonzero(good)[0]:
        out.append(np.linalg.det(a[k]))
    return out


def listed(a: np.ndarray, good: np.ndarray):
    return [np.linalg.inv(a[k]) for k in np.flatnonzero(good)]


def numbered(a: np.ndarray, good: np.ndarray):
    found = []
    for k in np.flatnonzero(good):
        if np.linalg.det(a[k]) > 0:
            found.append(k)
    return found


def changed(a: np.ndarray, good: np.ndarray):
    for k in np.flatnonzero(good):
        a[k] = np.linalg.inv(a[k])
        good[k] = False
    return a


CASES = {
    "inverses": lambda: (A, GOOD),
    "inverses-none": lambda: (A, np.zeros(6, bool)),
    "inverses-numbers": lambda: (A, GOOD * 2.0),
    "inverses-shorter": lambda: (A, GOOD[:4]),
    "inverses-table": lambda: (A, GOOD.reshape(2, 3)),
    "inverses-singular": lambda: (SINGULAR, GOOD),
    "solved": lambda: (A, X, GOOD * 1.0),
    "solved-none": lambda: (A, X, np.zeros(6)),
    "collected": lambda: (A, GOOD),
    "collected-none": lambda: (A, np.zeros(6, bool)),
    "listed": lambda: (A, GOOD),
    "listed-none": lambda: (A, np.zeros(6, bool)),
    "numbered": lambda: (A, GOOD),
    "changed": lambda: (A.copy(), GOOD.copy()),
}
