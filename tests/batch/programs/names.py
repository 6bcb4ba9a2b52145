"""Names of the user's that stacked code would like to have for its own values."""

import numpy as np


def counter(mats: list[np.ndarray], k: int):
    out = []
    for m in mats:
        _, s, _ = np.linalg.svd(m)
        out.append(s[0] * s)
    return out, k


def stacks(mats: list[np.ndarray], out_stacks: int):
    out = []
    for m in mats:
        w = np.linalg.eigvalsh(m + m.T)
        out.append(w / w.max())
    return out, out_stacks


RNG = np.random.default_rng(3)
MATS = [RNG.normal(size=(n, n)) for n in (3, 2, 3)]
CASES = {
    "counter": lambda: ([m.copy() for m in MATS], 7),
    "stacks": lambda: ([m.copy() for m in MATS], 7),
}
