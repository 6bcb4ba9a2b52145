"""Stores through views that are views in C order only, in functions that are values."""

import numpy as np


def bump(v):
    v += 1.0


def by_unknown(m, g):
    c = np.exp(m)
    g(c.reshape(-1))
    return c


def by_lambda(m):
    c = np.exp(m)
    (lambda a: bump(a))(c.reshape(-1))
    return c


def by_list(m):
    c = np.exp(m)
    for v in [c.reshape(-1)]:
        v[0] = 7
    return c


if __name__ == "__main__":
    x = np.asfortranarray(np.outer(np.arange(3.0), np.arange(4.0)))
    print(by_unknown(x, bump).sum(), by_lambda(x).sum(), by_list(x).sum())
