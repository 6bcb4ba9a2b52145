"""Loops over the elements of arrays in functions that call nothing of NumPy."""

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
