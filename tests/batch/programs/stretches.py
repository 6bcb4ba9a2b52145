"""Loops over parts of stacks: ``mats[1:]``, ``mats[::2]``, ``mats[:n]``."""

import numpy as np

A = np.random.default_rng(4).normal(size=(6, 3, 3)) + 3 * np.eye(3)
ALIKE = A.copy()


def sliced(mats: np.ndarray):
    return [np.linalg.inv(m) for m in mats[::2]]


def pairs(mats: np.ndarray):
    out = []
    for a, b in zip(mats[:-1], mats[1:]):
        out.append(np.linalg.solve(a, b))
    return np.array(out)


def first_n(mats: np.ndarray, n):
    out = np.zeros(n)
    for i, m in enumerate(mats[:n]):
        out[i] = np.linalg.det(m)
    return out


def back(mats: np.ndarray):
    total = 0.0
    for m in mats[::-1]:
        total += np.linalg.det(m)
    return total


def reversed_one(mats: np.ndarray):
    return [np.linalg.inv(m) for m in reversed(mats)]


def reversed_in_step(mats: np.ndarray, out: np.ndarray):
    for i, m in enumerate(reversed(mats)):
        out[i] = np.linalg.inv(m)
    return out


def reversed_list(mats: list[np.ndarray]):
    return [np.linalg.inv(m) for m in reversed(mats)]


def changed(mats: np.ndarray, n):
    out = []
    for m in mats[:n]:
        n = n - 1
        out.append(np.linalg.inv(m) * n)
    return out


def in_place(mats: np.ndarray):
    for i, m in enumerate(mats[1:]):
        mats[i] = np.linalg.inv(m)
    return mats


def onto(mats: np.ndarray, out: np.ndarray):
    for i, m in enumerate(mats[1:]):
        out[i] = np.linalg.inv(m)
    return out


def numbered(mats: np.ndarray):
    return {i: np.linalg.det(m) for i, m in enumerate(mats[1:])}


def rebound(mats: np.ndarray):
    out = []
    for mats in mats[1:]:
        out.append(np.linalg.inv(mats))
    return out


def of_list(mats: list[np.ndarray]):
    return [np.linalg.inv(m) for m in mats[1:]]


def onto_itself(mats: np.ndarray):
    return onto(mats, mats)


CASES = {
    "sliced": lambda: (A,),
    "sliced-empty": lambda: (A[:0],),
    "sliced-float32": lambda: (A.astype(np.float32),),
    "pairs": lambda: (A,),
    "pairs-one": lambda: (A[:1],),
    "first_n": lambda: (A, 4),
    "first_n-too_many": lambda: (A, 9),
    "first_n-negative": lambda: (A, -2),
    "first_n-none": lambda: (A, 0),
    "back": lambda: (A,),
    "reversed_one": lambda: (A,),
    "reversed_one-empty": lambda: (A[:0],),
    "reversed_in_step": lambda: (A, np.zeros_like(A)),
    "reversed_in_step-shared": lambda: (ALIKE, ALIKE),
    "reversed_list": lambda: (list(A),),
    "changed": lambda: (A, 3),
    "in_place": lambda: (A.copy(),),
    "onto": lambda: (A, np.zeros((5, 3, 3))),
    "onto-longer": lambda: (A, np.zeros((6, 3, 3))),
    "onto-shorter": lambda: (A, np.zeros((4, 3, 3))),
    "onto_itself": lambda: (A.copy(),),
    "numbered": lambda: (A,),
    "rebound": lambda: (A,),
    "of_list": lambda: (list(A),),
}
