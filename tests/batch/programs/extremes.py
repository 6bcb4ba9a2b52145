"""The least and the greatest of what the items give."""
import numpy as np


def gap(ms: np.ndarray):
    least = np.inf
    for m in ms:
        w = np.linalg.eigvalsh(m)
        least = min(least, w[1] - w[0])
    return least


def residual(a: np.ndarray, b: np.ndarray, worst=0.0):
    for i in range(len(a)):
        x = np.linalg.solve(a[i], b[i])
        worst = max(worst, float(np.linalg.norm(a[i] @ x - b[i])))
    return worst


def turned_round(ms: np.ndarray):
    least = np.inf
    for m in ms:
        least = min(np.linalg.det(m), least)  # takes NaN, and lets go of it again
    return least


def envelope(ms: np.ndarray):
    top, low = np.zeros(ms.shape[1]), np.inf
    for m in ms:
        w = np.linalg.eigvalsh(m)
        top = np.maximum(top, w)
        low = np.minimum(low, w[0])
    return top, low


def of_lists(ms: list[np.ndarray]):
    top = 0.0
    for m in ms:
        top = max(top, float(np.linalg.norm(m)))
    return top


def of_some(ms: np.ndarray, ok: np.ndarray):
    top = -1.0
    for i in range(len(ms)):
        if ok[i]:
            top = max(top, np.linalg.det(ms[i]))
    return top


def read_as_well(ms: np.ndarray):
    top, found = -np.inf, []
    for m in ms:
        top = max(top, np.linalg.det(m))
        found.append(top)
    return found


def within(ms: np.ndarray, steps: int):
    top = 0.0
    for m in ms:
        x = np.eye(len(m))
        for _ in range(steps):
            x = x @ m
            top = max(top, np.abs(x).max())
    return top


def _some(n=5, k=3, dtype=float):
    a = np.random.default_rng(0).normal(size=(n, k, k))
    return (a @ a.swapaxes(1, 2) + np.eye(k)).astype(dtype)


def _nan(n=5):
    a = _some(n)
    a[2, 0, 0] = np.nan
    return a


CASES = {
    "gap": lambda: (_some(),),
    "gap-single": lambda: (_some(dtype=np.float32),),
    "gap-one": lambda: (_some(1),),
    "gap-none": lambda: (_some(0),),
    "residual": lambda: (_some(), np.ones((5, 3))),
    "residual-nan": lambda: (_some(), np.array([[1, 1, 1], [1, np.nan, 1]] * 2 + [[2.0, 0, 1]])),
    "residual-more": lambda: (_some(), np.ones((5, 3)), 7.0),
    "residual-starts_with_nan": lambda: (_some(), np.ones((5, 3)), np.nan),
    "residual-singular": lambda: (_some() * np.array([1, 1, 0, 1, 1])[:, None, None], np.ones((5, 3))),
    "turned_round": lambda: (_some(),),
    "turned_round-nan": lambda: (_nan(),),
    "envelope": lambda: (_some(),),
    "envelope-single": lambda: (_some(dtype=np.float32),),
    "envelope-none": lambda: (_some(0),),
    "of_lists": lambda: ([*_some(3), *_some(2, 4)],),
    "of_lists-none": lambda: ([],),
    "of_some": lambda: (_some(), np.array([True, False, True, True, False])),
    "of_some-nan": lambda: (_nan(), np.ones(5, bool)),
    "of_some-none": lambda: (_some(), np.zeros(5, bool)),
    "read_as_well": lambda: (_some(),),
    "within": lambda: (_some(), 3),
    "within-no_steps": lambda: (_some(), 0),
}
