"""Floyd and Warshall's three loops: shortest and widest paths, also with negative cycles."""

import numpy as np


def shortest(d):
    n = len(d)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                d[i, j] = min(d[i, j], d[i, k] + d[k, j])
    return d


def compared(d):
    n = d.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def widest(w):
    n = w.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                w[i, j] = max(w[i, j], min(w[i, k], w[k, j]))
    return w


def reachable(r):
    n = r.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if r[i, k] and r[k, j]:
                    r[i, j] = True
    return r


rng = np.random.default_rng(2)
d = rng.uniform(1, 9, (20, 20))
d[rng.random((20, 20)) < 0.5] = np.inf
np.fill_diagonal(d, 0.0)
print(shortest(d.copy()).sum(), compared(d.copy()).sum())
d[3, 3] = -0.5
print(shortest(d.copy())[:4, :4].tolist(), compared(d.copy())[2:5, 2:5].tolist())
whole = rng.integers(-1, 50, (12, 12))
np.fill_diagonal(whole, 0)
print(shortest(whole.copy()).tolist())
whole[5, 5] = 1
print(compared(whole.copy()).tolist())
print(widest(rng.uniform(0, 1, (15, 15))).sum(), reachable(rng.random((15, 15)) < 0.1).sum())
