import sys

import numpy as np


def solve(A: np.ndarray, b: np.ndarray, x=None):
    if x is None:
        x = np.zeros_like(b)
    for _ in range(4):
        x = x + 0.1 * (b - A @ x)
    return x


def weighted(a: np.ndarray, w: np.ndarray | None = None):
    assert w is None or len(w) == len(a)
    return np.sum(a * w) if w is not None else np.sum(a)


def either(a: np.ndarray, b: np.ndarray | None = None, out=None):
    if b is None and out is None:
        return np.sin(a)
    if b is not None:
        a = np.cos(a) * b
    return a


A = np.eye(4) + 0.1
b = np.arange(4.0)
np.savez(
    sys.argv[1], a=solve(A, b), b=solve(A, b, b * 2), c=weighted(b), d=weighted(b, b),
    e=either(b), f=either(b, b), g=either(b, None, b),
)  # fmt: skip
