"""What functions work on is called ``m`` as sizes are: ``np.cov(m)``, ``np.flip(m)``."""

import sys

import numpy as np


def whiten(x):
    x = x - x.mean(axis=0)
    c = np.cov(x, rowvar=False)
    w, v = np.linalg.eigh(np.atleast_2d(c))
    return x @ np.abs(v) / np.sqrt(w + 1e-9)


def correlated(x):
    c = np.exp(-np.abs(np.cov(x)))
    return c @ x


def mirrored(x):
    return x * np.exp(np.fliplr(x)) + np.rot90(x, 2)


def lower(x):
    left = np.tril(x)
    return left @ np.exp(-left)


def grid(n):
    rows, columns = np.triu_indices(n, 0, n)
    return np.exp(-(rows + columns) / n).sum()


if __name__ == "__main__":
    data = np.random.default_rng(2).normal(size=(5, 5))
    print(grid(4))
    names = ("whiten", "correlated", "mirrored", "lower")
    np.savez(sys.argv[1], **{name: globals()[name](data.copy()) for name in names})
