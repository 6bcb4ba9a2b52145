import sys

import numpy as np


def ridge(X):
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
    r, c = np.tril_indices(n, -1)
    L[c, r] = L[r, c]
    return L


def corners(x):
    x[np.ix_([0, -1], [0, -1])] = 9
    i, j = np.unravel_index([1, 5], (3, 4))
    return x, i + j


X = np.arange(12.0).reshape(4, 3) ** 1.5
c, ij = corners(np.zeros((3, 4)))
np.savez(sys.argv[1], r=ridge(X), l=lower(X), c=c, ij=ij)
