from functools import partial
from itertools import starmap

import numpy as np

R = np.random.default_rng(23)
A = R.normal(size=(5, 4, 3))
B = R.normal(size=(5, 4, 3))
S = np.stack([np.eye(3), 2 * np.eye(3), np.zeros((3, 3)), np.eye(3)])
RAG = [R.normal(size=(n, 3)) for n in (4, 5, 4, 6)]


def align(X: np.ndarray, Y: np.ndarray):
    U, s, Vt = np.linalg.svd(X.T @ Y)
    return U @ Vt


def gap(X: np.ndarray, Y: np.ndarray, scale: float = 1.0):
    return scale * np.sqrt(((X @ align(X, Y) - Y) ** 2).sum())


def inverse(m: np.ndarray):
    return np.linalg.inv(m) @ m


def two_lists(a: np.ndarray, b: np.ndarray):
    return list(map(align, a, b))


def pairs(a: list[np.ndarray], b: list[np.ndarray]):
    return tuple(starmap(gap, zip(a, b)))


def partially(a: np.ndarray, ref: np.ndarray):
    return np.array(list(map(partial(gap, Y=ref, scale=2.0), a)))


def by_lambda(a: np.ndarray, ref: np.ndarray):
    return sum(map(lambda f: gap(f, ref), a))


def ordered(a: np.ndarray, ref: np.ndarray):
    return sorted(map(lambda f: gap(f, ref), a), reverse=True)


def within(a: np.ndarray):
    return list(map(inverse, list(map(inverse, a))))


def chosen(a: np.ndarray, b: np.ndarray, first: bool):
    return list(map(inverse, a if first else b))


def noted(a: np.ndarray, b: np.ndarray):
    return list(map(align, a,  # the shapes
                    b))


def shadowed(a: np.ndarray, b: np.ndarray):
    def zip(x, y):
        return [(y[0], x[0])]

    return list(map(align, a, b)), list(starmap(align, zip(a, b)))


def taken(a: np.ndarray, X: np.ndarray):
    return list(map(partial(gap, Y=X), a))


CASES = {
    "two_lists": lambda: (A.copy(), B.copy()), "two_lists-short": lambda: (A.copy(), B[:2].copy()),
    "two_lists-none": lambda: (A[:0], B[:0]), "two_lists-ragged": lambda: (RAG[:], RAG[:]),
    "pairs": lambda: (list(A), list(B)), "pairs-ragged": lambda: (RAG[:], RAG[:]),
    "pairs-none": lambda: ([], []), "pairs-apart": lambda: (RAG[:], RAG[::-1]),
    "partially": lambda: (A.copy(), B[0].copy()), "partially-none": lambda: (A[:0], B[0]),
    "partially-f4": lambda: (A.astype("f4"), B[0].astype("f4")),
    "by_lambda": lambda: (A.copy(), B[0].copy()), "by_lambda-none": lambda: (A[:0], B[0]),
    "ordered": lambda: (A.copy(), B[0].copy()),
    "within": lambda: (A[:, :3].copy(),), "within-singular": lambda: (S.copy(),),
    "chosen": lambda: (A[:, :3].copy(), S.copy(), True),
    "chosen-singular": lambda: (A[:, :3].copy(), S.copy(), False),
    "noted": lambda: (A.copy(), B.copy()), "shadowed": lambda: (A.copy(), B.copy()),
    "taken": lambda: (A.copy(), B[0].copy()),
}
