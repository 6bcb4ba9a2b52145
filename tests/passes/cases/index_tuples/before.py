"""Indices that NumPy makes as tuples of arrays are made on the device."""

import numpy as np


def cov(X):
    n, p = X.shape
    C = X.T @ X
    C /= n
    C[np.diag_indices(p)] += 1
    return np.linalg.inv(C)


def lower(A):
    n, m = A.shape
    L = A @ A.T
    L[np.triu_indices(n, 1)] = 0
    idx = np.arange(n)
    L[idx, idx] = 1.0
    L[idx[1:], idx[:-1]] -= 1
    return L
