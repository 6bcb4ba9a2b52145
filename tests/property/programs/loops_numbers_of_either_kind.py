"""Sums over loops are Python's number or NumPy's, as the data say, and the next loop reads them."""

import sys

import numpy as np


def pagerank(offsets, targets, degree, n, damping, iterations):
    rank = np.full(n, 1.0 / n)
    for _ in range(iterations):
        new = np.full(n, (1 - damping) / n)
        lost = 0.0
        for u in range(n):
            if degree[u] == 0:
                lost += rank[u]
        for u in range(n):
            for e in range(offsets[u], offsets[u + 1]):
                new[u] += damping * rank[targets[e]] / degree[targets[e]]
        for u in range(n):
            new[u] += damping * lost / n
        rank = new
    return rank


def scaled(x, a, b, k):
    out = np.zeros(len(x))
    for i in range(len(x)):
        out[i] = a * b * x[i] + a / k
    return out


rng = np.random.default_rng(4)
n = 40
degree = rng.integers(0, 4, n)
offsets = np.concatenate([[0], np.cumsum(degree)])
targets = rng.choice(np.nonzero(degree)[0], offsets[-1])
rank = pagerank(offsets, targets, degree, n, 0.85, 6)
full = pagerank(np.arange(n + 1), rng.permutation(n), np.ones(n, int), n, 0.85, 6)
x = np.linspace(0.0, 1.0, 30)
scales = [scaled(x, a, b, k) for a, b, k in [(0.5, x[3], 3), (x[4], x[5], 2), (0.1, 0.2, 7)]]
np.savez(sys.argv[1], rank=rank, full=full, scales=np.array(scales))
