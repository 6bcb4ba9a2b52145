"""Ufuncs that work where a mask is true, into arrays that hold something else elsewhere."""

import sys

import numpy as np
from numpy import divide as ratio


def normalised(counts):
    total = counts.sum(axis=1, keepdims=True)
    return np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)


def entropies(p, floor=-1.0):
    logs = np.full(p.shape, floor)
    np.log(p, out=logs, where=p > 0)
    return -(p * logs).sum(axis=1)


def capped(x, most):
    np.minimum(x, most, out=x, where=x > 0)
    x *= 2
    return x


class Field:
    def __init__(self, n):
        self.u = np.linspace(-1.0, 1.0, n)
        self.rate = np.zeros(n)

    def step(self, alive):
        np.multiply(self.u, 0.5, out=self.u, where=alive)
        return np.sqrt(self.u, out=self.rate, where=self.u >= 0)


def of_rows(rows):
    found = []
    for row in rows:
        held = np.ones_like(row)
        found.append(np.add(row, held, out=held, where=row != 3))
    return np.array(found)


def into_other_dtypes(x):
    single = np.zeros(x.shape, np.float32)
    flags = np.ones(x.shape, bool)
    np.exp(x, out=single, where=x < 2)
    np.greater(x, 1, out=flags, where=x > 0)
    return single, flags


def either_way(a, b):
    try:
        return ratio(a, b, where=b != 0, out=np.full(b.shape, np.nan))
    except ValueError:
        return np.array([-1.0])


def main(path):
    x = np.arange(24.0).reshape(4, 6) % 7
    x[2] = 0
    p = normalised(x)
    field = Field(9)
    moved = [field.step(field.u > -0.6).copy() for _ in range(3)]
    own = x - 3
    same = capped(own, 1.5)
    np.savez(
        path, p=p, h=entropies(p), h2=entropies(p, 0.0), own=own, same=same, rate=field.rate,
        u=field.u, moved=np.stack(moved), rows=of_rows(x), e=either_way(x, x - 2),
        narrow=either_way(x, np.arange(3.0)), single=into_other_dtypes(x)[0],
        flags=into_other_dtypes(x)[1],
    )
    print(p.sum().round(9), entropies(p).round(6), same.shape)


if __name__ == "__main__":
    main(sys.argv[1])
