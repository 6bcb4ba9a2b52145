import sys

import numpy as np


def relax(u, source, h, steps):
    v = u.copy()
    for _ in range(steps):
        for i in range(1, u.shape[0] - 1):
            for j in range(1, u.shape[1] - 1):
                around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
                v[i, j] = 0.25 * (around - h * h * source[i, j])
        u, v = v, u
    return u


def trace(board, n):
    total = 0
    for k in range(n):
        total += board[k, k]
    return total


def fill(table, n):
    for i in range(n):
        for j in range(n):
            table[i, j] = 10 * i + j
    return table


u = np.arange(30.0).reshape(5, 6)
kept = u.copy()
r = relax(u, np.ones((5, 6)), 0.5, 3)
cells = fill({}, 3)
m = fill(np.zeros((3, 3)), 3)
sums = [trace(m, 3), trace(cells, 3), trace({(0, 0): "a", (1, 1): "b"}, 0)]
print(sums, sorted(cells.items())[:4], type(sums[0]).__name__, type(sums[1]).__name__)
np.savez(sys.argv[1], r=r, u=u, m=m, kept=kept)
