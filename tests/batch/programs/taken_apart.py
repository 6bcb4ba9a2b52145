"""Results of all items that are taken apart at once, and tuples of them in dicts."""

import numpy as np

A = np.random.default_rng(7).normal(size=(5, 3, 3)) + 2 * np.eye(3)
TALL = {name: a[:, :2] for name, a in zip("abcde", A)}
RAGGED = {**TALL, "f": A[0, :2, :2]}
BAD = np.concatenate([A, np.full((1, 3, 3), np.nan)])


def generated(mats: list[np.ndarray]):
    w, v = zip(*(np.linalg.eigh(m @ m.T) for m in mats))
    return np.array(w), np.abs(np.array(v))


def listed(mats: np.ndarray):
    w, v = zip(*[np.linalg.eigh(m + m.T) for m in mats])
    return np.array(w), np.abs(np.array(v))


def lists_of_parts(mats: np.ndarray):
    signs, logs = zip(*(np.linalg.slogdet(2 * m) for m in mats))
    return list(signs), list(logs)


def components(data: dict[str, np.ndarray], k: int):
    found = {}
    for name, x in data.items():
        centred = x - x.mean(axis=0)
        u, s, vt = np.linalg.svd(centred, full_matrices=False)
        found[name] = (np.abs(centred @ vt[:k].T), s[:k] ** 2 / np.sum(s**2))
    return found


CASES = {
    "generated": lambda: (list(A),),
    "generated-empty": lambda: ([],),
    "listed": lambda: (A.copy(),),
    "listed-empty": lambda: (A[:0],),
    "lists_of_parts": lambda: (A.copy(),),
    "lists_of_parts-nan": lambda: (BAD.copy(),),
    "components": lambda: (TALL, 2),
    "components-ragged": lambda: (RAGGED, 1),
    "components-empty": lambda: ({}, 1),
}
