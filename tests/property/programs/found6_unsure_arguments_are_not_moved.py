import sys

import numpy as np


class Terms:
    def __init__(self, values):
        self.values = values

    def sum(self, axis=None, out=None):
        return "the sum of its terms"

    def dot(self, other):
        return "the product"


def total(x, axis=None, out=None):
    if isinstance(x, np.ndarray) or np.isscalar(x):
        return np.sum(x, axis=axis, out=out)
    if hasattr(x, "values"):
        return x.sum(axis=axis, out=out)
    raise ValueError(x)


def product(a, b):
    if hasattr(a, "values"):
        return a.dot(b)
    return np.dot(a, b)


def solve_each(matrices, right, out=None):
    if out is None:
        raise NotImplementedError
    found = out
    for p in range(len(matrices)):
        found[p, ...] = np.linalg.solve(matrices[p, ...], right[p, ...])
        found[p] += np.dot(matrices[p], found[p])
    return out


def main(path):
    masked = np.ma.masked_less(np.arange(6.0), 2)
    objects = np.array([1, 2, 10**30], dtype=object)
    matrices = np.eye(3) + np.arange(27.0).reshape(3, 3, 3) ** 0.5
    print(total(Terms([1])), product(Terms([1]), 2), product(objects, objects))
    out = np.zeros((3, 3))
    np.savez(
        path,
        masked=total(masked),
        plain=total(np.arange(4.0)),
        product=product([1, 2], np.ones(2)),
        solved=solve_each(matrices, np.ones((3, 3)), out),
    )


main(sys.argv[1])
