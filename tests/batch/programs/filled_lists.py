"""Lists with a place for each item, written place by place."""

import numpy as np

A = np.random.default_rng(5).normal(size=(5, 3, 3)) + 2 * np.eye(3)
BAD = A.copy()
BAD[3] = 0


def by_enumerate(mats: np.ndarray):
    n = len(mats)
    found = [None] * n
    for i, m in enumerate(mats):
        found[i] = np.linalg.det(m)
    return found


def by_range(mats: np.ndarray):
    values = [0.0] * mats.shape[0]
    inverse = [None for _ in range(len(mats))]
    for i in range(mats.shape[0]):
        inverse[i] = np.linalg.inv(mats[i])
        values[i] = float(np.linalg.det(mats[i]))
    return values, inverse


def made_an_array(mats: np.ndarray):
    found = [None] * len(mats)
    for i, m in enumerate(mats):
        found[i] = np.linalg.eigvalsh(m + m.T)
    return np.array(found)


def grown_before(mats: list[np.ndarray]):
    n = len(mats)
    mats.append(mats[0])
    found = [None] * n
    for i, m in enumerate(mats):
        found[i] = np.linalg.det(m)
    return found


def shrunk_before(mats: list[np.ndarray]):
    found = [None] * len(mats)
    mats.pop()
    for i, m in enumerate(mats):
        found[i] = np.linalg.det(m)
    return found


def bound_again(mats: np.ndarray):
    found = [None] * len(mats)
    mats = mats[1:]
    for i, m in enumerate(mats):
        found[i] = np.linalg.det(m)
    return found


def one_more(mats: np.ndarray):
    found = [None] * (len(mats) + 1)
    for i in range(len(mats)):
        found[i] = np.linalg.det(mats[i])
    return found


def kept_on_error(mats: np.ndarray):
    found = [None] * len(mats)
    try:
        for i in range(len(mats)):
            found[i] = np.linalg.inv(mats[i])
    except np.linalg.LinAlgError:
        pass
    return found


def shared(mats: np.ndarray):
    found = [None] * len(mats)
    for i, m in enumerate(mats):
        found[i] = np.linalg.det(m)
    return [lambda: found, found][1]


def read_again(mats: np.ndarray):
    found = [1.0] * len(mats)
    for i, m in enumerate(mats):
        found[i] = np.linalg.det(m) * found[i]
    return found


CASES = {
    "by_enumerate": lambda: (A.copy(),),
    "by_enumerate-empty": lambda: (A[:0],),
    "by_range": lambda: (A.copy(),),
    "by_range-singular": lambda: (BAD.copy(),),
    "made_an_array": lambda: (A.copy(),),
    "grown_before": lambda: (list(A),),
    "shrunk_before": lambda: (list(A),),
    "bound_again": lambda: (A.copy(),),
    "one_more": lambda: (A.copy(),),
    "kept_on_error": lambda: (BAD.copy(),),
    "shared": lambda: (A.copy(),),
    "read_again": lambda: (A.copy(),),
}
