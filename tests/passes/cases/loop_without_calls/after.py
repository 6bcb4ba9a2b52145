"""Loops over the elements of arrays in functions that call nothing of NumPy."""

import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "raw T u, raw T source, float h",
    "raw T v",
    """
    const T around = u[{i - 1, j}] + u[{i + 1, j}] + u[{i, j - 1}] + u[{i, j + 1}];
    v[{i, j}] = 0.25 * (around - h * h * source[{i, j}]);
    """,
    over="i in range(1, u.shape[0] - 1), j in range(1, u.shape[1] - 1)",
)
def _relax(u, source, h, v):
    for i in range(1, u.shape[0] - 1):
        for j in range(1, u.shape[1] - 1):
            around = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]
            v[i, j] = 0.25 * (around - h * h * source[i, j])


@device("u", "source", require=("u", "source"), writes="u")
def relax(u, source, h, steps):
    v = u.copy()
    for _ in range(steps):
        _relax(u, source, h, v)
        u, v = v, u
    return u


@kernel(
    "raw T board, int n, int total",
    "T total_terms",
    """
    total_terms = board[{k, k}];
    """,
    over="k in range(n)",
    returns="total + total_terms.sum().get()[()]",
)
def _trace(board, n, total):
    for k in range(n):
        total += board[k, k]
    return total


@device("board")
def trace(board, n):
    total = 0
    total = _trace(board, n, total)
    return total
