"""Matrices gone through in step with what is no list of arrays: the shorter one ends the loop."""

import numpy as np

MATS = list(np.random.default_rng(2).standard_normal((5, 3, 3)))


def labelled(ms: list[np.ndarray]):
    out = []
    for name, m in zip(["a", "b"], ms):
        out.append(np.linalg.inv(m))
    return out


def counted(ms: list[np.ndarray], n: int):
    out = []
    for k, m in zip(range(n), ms):
        out.append(np.linalg.det(m))
    return out


def numbered(ms: list[np.ndarray]):
    return [np.linalg.inv(m) for k, m in zip(range(3), ms)]


def words(ms: list[np.ndarray]):
    return [np.linalg.slogdet(m) for letter, m in zip("xyz", ms)]


CASES = {
    **{
        f"{name}-{len(given)}": lambda given=given: (given,)
        for name in ("labelled", "numbered", "words")
        for given in (MATS, MATS[:3], MATS[:1], [])
    },
    **{f"counted-{n}": lambda n=n: (MATS, n) for n in (0, 2, 5, 9)},
}
