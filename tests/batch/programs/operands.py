"""Calls that stacked code has as operations, within other operations."""

import numpy as np


def correlations(covariances: np.ndarray):
    out = np.empty_like(covariances)
    for i in range(len(covariances)):
        d = np.sqrt(np.diag(covariances[i]))
        out[i] = covariances[i] / np.outer(d, d)
    return out


def partial(covariances: list[np.ndarray]):
    found = []
    for c in covariances:
        p = np.linalg.inv(c)
        d = np.sqrt(np.diag(p))
        found.append(np.eye(3) - p / np.outer(d, d))
    return found


def scatter(x: np.ndarray, mean: np.ndarray, weights: np.ndarray):
    total = np.zeros((3, 3))
    for i in range(len(x)):
        total += weights[i] * np.outer(x[i] - mean, x[i] - mean)
    return total


def scaled(x: np.ndarray, mean: np.ndarray, a, b):
    total = np.zeros((3, 3))
    for i in range(len(x)):
        total += (a + b) * np.outer(x[i] - mean, x[i] + mean)
    return total


def behind(x: np.ndarray, weights: np.ndarray):
    total = np.zeros((3, 3))
    for i in range(len(x)):
        total += np.outer(x[i], x[i] + 1) * (weights[i] - 1)
    return total


def products(a: np.ndarray, b: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.inv(b[i]) * np.dot(a[i], b[i]) + b[i] / a[i].dot(b[i]) - np.matmul(a[i], a[i]) ** 2
    return out


def vectors(a: np.ndarray, x: np.ndarray, u: np.ndarray):
    out = np.zeros(len(a))
    for i in range(len(a)):
        v = np.linalg.eigvalsh(a[i] @ a[i].T)
        out[i] = v[0] / np.dot(v, u) - 2 ** np.dot(u, v / 9) + x[i][0]
    return out


def signs(a: np.ndarray):
    found = []
    for m in a:
        v = np.linalg.eigvalsh(m @ m.T)
        found.append(-np.outer(v, v) ** 2 + (np.outer(v, v) > m / np.outer(v, v)))
    return found


def parts(a: np.ndarray):
    found = []
    for m in a:
        v = np.linalg.eigvalsh(m @ m.T)
        x = m / np.dot(m, m).T + m / np.outer(v, v).sum(axis=0)
        found.append(x + np.linalg.inv(m) / np.tensordot(m, m, axes=1))
    return found


def mirrored(a: np.ndarray):
    out = np.empty_like(a)
    for i in range(len(a)):
        u, s, vt = np.linalg.svd(a[i])
        w = np.abs(u[:, 0])
        out[i] = a[i] @ np.outer(w, w) - a[i] % np.outer(w, w) + np.linalg.norm(np.outer(w, s) + 1)
    return out


def _made(count=5, dtype=float):
    return np.random.default_rng(0).normal(size=(count, 3, 3)).astype(dtype)


def _definite(count=5, dtype=float):
    a = _made(count)
    return (a @ a.transpose(0, 2, 1) + np.eye(3)).astype(dtype)


X = np.random.default_rng(1).normal(size=(5, 3))
MEAN = np.array([0.3, -0.2, 0.1])


CASES = {
    "correlations": lambda: (_definite(),),
    "correlations-single": lambda: (_definite(dtype="f"),),
    "correlations-none": lambda: (_definite(0),),
    "partial": lambda: (list(_definite()),),
    "partial-none": lambda: ([],),
    "scatter": lambda: (X, MEAN, np.arange(5.0)),
    "scatter-integers": lambda: (np.arange(15).reshape(5, 3), np.arange(3), np.arange(5)),
    "scaled": lambda: (X, MEAN, 2.0, 3.0),
    "scaled-none": lambda: (X[:0], MEAN, 2.0, 3.0),
    "behind": lambda: (X, np.arange(5.0)),
    "products": lambda: (_made(), _definite()),
    "vectors": lambda: (_made(), X, MEAN),
    "signs": lambda: (_made(),),
    "parts": lambda: (_made(),),
    "mirrored": lambda: (_made(),),
}
