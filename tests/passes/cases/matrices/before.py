"""Parameters that a function treats as matrices are matrices for its port."""

import numpy as np


def gram(x):
    g = x.T @ x
    g += 1e-3 * np.eye(g.shape[0])
    return np.linalg.inv(g)


def scores(x, w):
    n, p = x.shape
    z = x @ w
    z -= z.mean()
    return np.exp(z) / p


def by_columns(x: np.ndarray, k):
    mean = x[:, 0] @ x
    mean *= 2
    return mean - x.sum(axis=1)[0]


def converted(x):
    x = np.asarray(x, dtype=float)
    total = np.exp(x) @ np.ones(3)
    total /= x.shape[1]
    return np.sqrt(total)


def vectors(x, y):
    dot = np.sin(x) @ y
    dot += 1
    return np.cos(dot)
