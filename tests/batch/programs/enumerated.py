"""Generators over matrices that are numbered as a dict or list is made of them."""

import numpy as np

MATS = list(np.random.default_rng(8).standard_normal((5, 3, 3)))
SINGULAR = [*MATS[:2], np.zeros((3, 3)), *MATS[3:]]


def numbered(ms: list[np.ndarray]):
    return dict(enumerate(np.linalg.inv(m) for m in ms))


def listed(ms: list[np.ndarray]):
    return list(enumerate(np.linalg.det(m) for m in ms))


def from_one(ms: list[np.ndarray]):
    return tuple(enumerate((np.linalg.slogdet(m)[1] for m in ms), start=1))


def keyed(names: list[str], ms: list[np.ndarray]):
    return dict(zip(names, (np.linalg.inv(m) for m in ms)))


CASES = {
    **{
        f"{name}-{word}": lambda given=given: (given,)
        for name in ("numbered", "listed", "from_one")
        for word, given in {"": MATS, "none": [], "singular": SINGULAR,
                            "array": np.array(MATS)}.items()
    },
    "keyed": lambda: (list("abcde"), MATS),
    "keyed-fewer": lambda: (list("ab"), SINGULAR),
}  # fmt: skip
