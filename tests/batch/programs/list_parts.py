"""Loops over parts of lists, lists backwards, and items of lists beside the own ones."""

import numpy as np

RNG = np.random.default_rng(11)
MATS = [m @ m.T + np.eye(3) for m in RNG.standard_normal((6, 3, 3))]
LARGER = [m @ m.T + np.eye(4) for m in RNG.standard_normal((3, 4, 4))]
SINGULAR = [*MATS[:3], np.zeros((3, 3)), *MATS[4:]]


def backwards(mats: list[np.ndarray]):
    out = []
    for m in reversed(mats):
        w, v = np.linalg.eigh(m)
        out.append((v * np.sqrt(w)) @ v.T)
    return out


def numbered_backwards(mats: list[np.ndarray]):
    out = {}
    for i, m in enumerate(reversed(mats)):
        out[i] = np.linalg.inv(m) @ m.T
    return out


def every_second(mats: list[np.ndarray]):
    return [np.linalg.slogdet(m)[1] for m in mats[::2]]


def first_ones(mats: list[np.ndarray], n: int):
    out = np.zeros((n, 3, 3))
    for i, m in enumerate(mats[:n]):
        out[i] = np.linalg.inv(m)
    return out


def steps(mats: list[np.ndarray]):
    return [np.linalg.inv(a) @ b for a, b in zip(mats, mats[1:])]


def three(mats: list[np.ndarray]):
    return [np.linalg.solve(a, b) @ c for a, b, c in zip(mats, mats[1:], mats[2:])]


def timed(mats: list[np.ndarray], spans: np.ndarray):
    return [(np.linalg.inv(a) @ b) / t for a, b, t in zip(mats, mats[1:], spans)]


def checked(mats: list[np.ndarray]):
    return [np.linalg.inv(a) @ b for a, b in zip(mats, mats[1:], strict=True)]


def ends(mats: list[np.ndarray]):
    return [np.linalg.inv(a) @ b for a, b in zip(mats, reversed(mats))]


def before(mats: list[np.ndarray]):
    out = np.zeros((len(mats), 3, 3))
    for i in range(1, len(mats)):
        out[i] = np.linalg.solve(mats[i], mats[i - 1])
    return out


def behind(mats: list[np.ndarray], n: int):
    out = []
    for i in range(n - 1):
        out.append(mats[i + 1] @ np.linalg.inv(mats[i]))
    return out


def weighed(mats: list[np.ndarray], weights: np.ndarray):
    out = np.zeros((len(mats), 3, 3))
    for i in range(2, len(mats)):
        out[i] = weights[i] * np.linalg.solve(mats[i], mats[i - 2])
    return out


def grows(mats: list[np.ndarray]):
    mats = list(mats)
    for m in mats[1:]:
        mats.append(np.linalg.inv(m))
    return mats


LISTS = {
    "": MATS,
    "empty": [],
    "one": MATS[:1],
    "two": MATS[:2],
    "ragged": [*MATS[:3], *LARGER, *MATS[3:]],
    "singular": SINGULAR,
    "tuple": tuple(MATS),
    "array": np.array(MATS),
    "lists": [m.tolist() for m in MATS],
}


def _copies(given):
    return given.copy() if isinstance(given, np.ndarray) else type(given)(given)


CASES = {
    **{
        f"{name}-{word}": lambda given=given: (_copies(given),)
        for name in (
            "backwards", "numbered_backwards", "every_second", "steps", "three", "checked",
            "ends", "before", "grows",
        )
        for word, given in LISTS.items()
    },
    **{f"first_ones-{n}": lambda n=n: (MATS, n) for n in (0, 2, 6, 9)},
    **{f"behind-{n}": lambda n=n: (MATS, n) for n in (-1, 0, 1, 6, 9)},
    **{f"timed-{n}": lambda n=n: (MATS, np.arange(1.0, n + 1)) for n in (0, 4, 5, 6)},
    **{f"weighed-{n}": lambda n=n: (MATS, np.arange(float(n))) for n in (4, 6, 8)},
}  # fmt: skip
