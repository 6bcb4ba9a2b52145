"""Loops over indices and elements in the forms that scientists write them."""

import sys

import numpy as np


def columns(table):
    means = np.zeros(table.shape[1])
    for k, column in enumerate(table.T):
        total = 0.0
        for value in column:
            total += value
        means[k] = total / len(column)
    return means


def absolute_sum(table):
    total = 0.0
    for value in table.flat:
        total += value if value > 0 else -value
    return total


def horner(coefficients, x):
    out = np.zeros_like(x)
    for i in range(x.size):
        value = 0.0
        for c in coefficients[::-1]:
            value = value * x[i] + c
        out[i] = value
    return out


def every_second(x):
    out = np.zeros_like(x)
    for i in np.arange(1, len(x), 2):
        out[i] = x[i] ** 2 - x[i - 1]
    return out


def last_first(x, y):
    total = 0.0
    for u, v in zip(reversed(x), y[1::2]):
        total += u * v
    return total


def weighted(table, weights):
    rows, columns = table.shape
    out = np.zeros((rows, columns))
    for index in np.ndindex(rows, columns):
        out[index] = table[index] * weights[index[1]] + index[0]
    return out


def places(table):
    out = np.zeros(table.shape)
    for (i, j), value in np.ndenumerate(table):
        out[i, j] = value * i + j
    return out


def neighbours(grid):
    rows, columns = grid.shape
    out = np.zeros_like(grid)
    for y in range(rows):
        for x in range(columns):
            count = 0
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if dy == 0 and dx == 0:
                        continue
                    count += grid[(y + dy) % rows, (x + dx) % columns]
            out[y, x] = 1 if count == 3 or (count == 2 and grid[y, x]) else 0
    return out


def of_four(u):
    out = u.copy()
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            total = 0.0
            for di, dj in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if u[i + di, j + dj] < 0:
                    continue
                total += u[i + di, j + dj]
            out[i, j] = total / 4
    return out


def products(a, b):
    total = 0j
    for x, y in zip(a, b):
        total += x * y.conjugate()
    return total


def inverse(permutation):
    found = np.empty_like(permutation)
    for i in range(len(permutation)):
        found[permutation[i]] = i
    return found


rng = np.random.default_rng(0)
table = rng.normal(size=(7, 9))
x = rng.normal(size=31)
z = rng.normal(size=12) + 1j * rng.normal(size=12)
np.savez(
    sys.argv[1],
    columns=columns(table),
    absolute=absolute_sum(table[:, ::2]),
    horner=horner(np.array([1.0, -2.0, 0.5]), x),
    second=every_second(x),
    last=last_first(x, x),
    empty=last_first(x[:0], x[:1]),
    weighted=weighted(table, x),
    places=places(table),
    neighbours=neighbours((rng.random((9, 11)) > 0.6).astype(np.uint8)),
    four=of_four(table),
    products=products(z, z[::-1].copy()),
    inverse=inverse(rng.permutation(20)),
)
