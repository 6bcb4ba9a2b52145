from itertools import starmap

import numpy as np

R = np.random.default_rng(9)
A = R.normal(size=(4, 3, 3)) + 3 * np.eye(3)
B = R.normal(size=(4, 3))
S = A.copy()
S[2] = 0


def systems(a: np.ndarray, b: np.ndarray):
    return list(starmap(np.linalg.solve, zip(a, b)))


def mapped(a: np.ndarray, b: np.ndarray):
    return list(map(np.linalg.solve, a, b))


def of_lists(a: list[np.ndarray], b: list[np.ndarray]):
    return tuple(starmap(np.linalg.solve, zip(a, b)))


def summed(a: np.ndarray):
    return sum(starmap(np.linalg.det, zip(a)))


def products(a: np.ndarray, b: np.ndarray):
    return list(map(np.dot, a, b))


def powers(a: np.ndarray, n: list[int]):
    return list(map(np.linalg.matrix_power, a, n))


def of_pairs(pairs: list):
    return list(starmap(np.linalg.solve, pairs))


def looped(a: np.ndarray, b: np.ndarray):
    out = []
    for k, x in enumerate(starmap(np.linalg.solve, zip(a, b))):
        out.append(x * k)
    return out


def early(a: np.ndarray, b: np.ndarray):
    for x in starmap(np.linalg.solve, zip(a, b)):
        if x[0] < 10:
            return x
    return None


def returned(a: np.ndarray):
    return map(np.linalg.inv, a)


def returned_star(a: np.ndarray, b: np.ndarray):
    return starmap(np.linalg.solve, zip(a, b))


def held(a: np.ndarray):
    m = map(np.linalg.inv, a)
    a[0] = 2 * np.eye(3)
    return list(m)


def in_step(a: np.ndarray, b: np.ndarray):
    return [(x @ y, y) for x, y in zip(map(np.linalg.inv, a), b)]


def named(a: np.ndarray, b: np.ndarray):
    return dict(zip("wxyz", starmap(np.linalg.solve, zip(a, b))))


def with_zip(a: np.ndarray, b: np.ndarray):
    zip = lambda x, y: [(x[0], y[0])]
    return list(starmap(np.linalg.solve, zip(a, b)))


CASES = {
    **{name: lambda: (A.copy(), B.copy()) for name in (
        "systems", "mapped", "products", "looped", "early", "returned_star", "in_step", "named",
        "with_zip")},
    "systems-singular": lambda: (S.copy(), B.copy()), "systems-none": lambda: (A[:0], B[:0]),
    "systems-short": lambda: (A.copy(), B[:2].copy()), "systems-matrices": lambda: (A.copy(), A.copy()),
    "mapped-short": lambda: (A[:1].copy(), B.copy()),
    "of_lists": lambda: ([A[0], A[1, :2, :2]], [B[0], B[1, :2]]), "of_lists-none": lambda: ([], []),
    "summed": lambda: (A.copy(),), "powers": lambda: (A.copy(), [2, 0, 1, 3]),
    "of_pairs": lambda: ([(A[0], B[0]), (A[1], B[1])],),
    "returned": lambda: (A.copy(),), "held": lambda: (A.copy(),),
}
