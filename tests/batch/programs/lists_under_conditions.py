"""Loops over lists in which a condition binds names anew, or more than one value is left over."""

import numpy as np


def rotations(sources: list[np.ndarray], targets: list[np.ndarray]):
    found, errors = [], []
    for p, q in zip(sources, targets):
        pc = p - p.mean(0)
        qc = q - q.mean(0)
        v, s, wt = np.linalg.svd(pc.T @ qc)
        if np.linalg.det(v) * np.linalg.det(wt) < 0.0:
            s[-1] = -s[-1]
            v[:, -1] = -v[:, -1]
        r = v @ wt
        found.append(r)
        errors.append(np.sqrt(((pc @ r - qc) ** 2).sum() / len(p)))
    return found, errors


def signed(blocks: dict[str, np.ndarray]):
    out = {}
    for key, m in blocks.items():
        w, v = np.linalg.eigh(m @ m.T)
        top = v[:, -1]
        if top[0] < 0:
            top = -top
        elif w[-1] > 40.0:
            top = top * 2.0
        out[key] = top
    return out


def numbered(blocks: list[np.ndarray], weights: np.ndarray):
    found = []
    for k, m in enumerate(blocks):
        x = np.linalg.inv(m)
        if np.linalg.det(m) > 0:
            x = x * weights[k]
        found.append(x)
    return found


def some_only(blocks: list[np.ndarray]):
    found = []
    for m in blocks:
        if np.linalg.det(m) > 0:
            found.append(np.linalg.inv(m))
    return found


def least(matrices: np.ndarray, sides: np.ndarray):
    found = []
    for a, b in zip(matrices, sides):
        x, *_ = np.linalg.lstsq(a, b, rcond=None)
        found += [x]
    return np.array(found)


def _shapes(count, rows=9, seed=3):
    return [np.random.default_rng(seed + k).normal(size=(rows, 3)) for k in range(count)]


def _blocks(count):
    return [np.random.default_rng(k).normal(size=(3, 3)) for k in range(count)]


def _uneven(shapes):
    return [s[: 4 + k % 3] for k, s in enumerate(shapes)]


CASES = {
    "rotations": lambda: (_shapes(8), _shapes(8, seed=30)),
    "rotations-arrays": lambda: (np.array(_shapes(8)), np.array(_shapes(8, seed=30))),
    "rotations-ragged": lambda: (_uneven(_shapes(8)), _uneven(_shapes(8, seed=30))),
    "rotations-mixed": lambda: (
        [s.astype(np.float32) if k % 2 else s for k, s in enumerate(_shapes(8))],
        _shapes(8, seed=30),
    ),
    "rotations-shorter": lambda: (_shapes(3), _shapes(8, seed=30)),
    "rotations-none": lambda: ([], []),
    "rotations-nan": lambda: ([*_shapes(2), np.full((9, 3), np.nan)], _shapes(3, seed=30)),
    "signed": lambda: ({f"b{k}": m for k, m in enumerate(_blocks(8))},),
    "signed-none": lambda: ({},),
    "signed-ragged": lambda: ({1: np.eye(2), **dict(enumerate(_blocks(4), 2))},),
    "signed-integers": lambda: ({k: np.arange(9).reshape(3, 3) - k for k in range(4)},),
    "numbered": lambda: (_blocks(6), np.arange(6.0)),
    "numbered-singular": lambda: ([*_blocks(2), np.zeros((3, 3))], np.arange(3.0)),
    "some_only": lambda: (_blocks(6),),
    "some_only-array": lambda: (np.array(_blocks(6)),),
    "least": lambda: (np.array(_shapes(4)), np.ones((4, 9))),
    "least-lists": lambda: (_shapes(4), list(np.ones((4, 9)))),
    "least-deficient": lambda: (np.ones((3, 9, 3)), np.ones((3, 9))),
    "least-none": lambda: ([], []),
}
