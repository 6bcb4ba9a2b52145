"""Parameters that a function treats as matrices are matrices for its port."""

import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", matrices="x")
def gram(x):
    g = x.T @ x
    g += 1e-3 * cp.eye(g.shape[0])
    return cp.linalg.inv(g)


@device("x", "w", require="w", matrices="x")
def scores(x, w):
    n, p = x.shape
    z = x @ w
    z -= z.mean()
    return cp.exp(z) / p


@device("x", matrices="x")
def by_columns(x: np.ndarray, k):
    mean = x[:, 0] @ x
    mean *= 2
    return mean - x.sum(axis=1)[0]


@device("x", matrices="x")
def converted(x):
    x = cp.asarray(x, dtype=float)
    total = cp.exp(x) @ cp.ones(3)
    total /= x.shape[1]
    return cp.sqrt(total)


@device("x", "y")
def vectors(x, y):
    dot = cp.asnumpy(cp.sin(x) @ y)[()]
    dot += 1
    return np.cos(dot)
