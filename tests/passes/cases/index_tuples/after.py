"""Indices that NumPy makes as tuples of arrays are made on the device."""

import cupy as cp
from gpuport.runtime import device


@device("X", matrices="X")
def cov(X):
    n, p = X.shape
    C = X.T @ X
    C /= n
    C[cp.diag_indices(p)] += 1
    return cp.linalg.inv(C)


@device("A", matrices="A")
def lower(A):
    n, m = A.shape
    L = A @ A.T
    L[cp.triu_indices(n, 1)] = 0
    idx = cp.arange(n)
    L[idx, idx] = 1.0
    L[idx[1:], idx[:-1]] -= 1
    return L
