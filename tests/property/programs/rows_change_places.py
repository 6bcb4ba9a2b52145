"""Gaussian elimination: rows change places, which may be one place, or named from the end."""

import sys

import numpy as np


def reduced(A, b):
    n = len(b)
    for k in range(n):
        p = k + int(np.argmax(np.abs(A[k:, k])))
        A[[k, p]] = A[[p, k]]
        b[[k, p]] = b[[p, k]]
        factors = A[k + 1 :, k] / A[k, k]
        A[k + 1 :] -= np.outer(factors, A[k])
        b[k + 1 :] -= factors * b[k]
    return A, b


def shuffled(A, pairs):
    A = np.exp(A)
    for k, p in pairs:
        A[:, [k, p]] = A[:, [p, k]]
        A[[p, k], 1:] = A[[k, p], 1:]
    return A


def rotated(A, k, p, q):
    A = np.exp(A)
    A[[k, p, q]] = A[[p, q, k]]
    return A


rng = np.random.default_rng(3)
A, b = rng.random((7, 7)), rng.random(7)
turned = shuffled(A, [(0, 6), (2, 2), (-1, 6), (-2, 1)])
thrice = rotated(A, 1, 1, 3)
A, b = reduced(A, b)
np.savez(sys.argv[1], A=A, b=b, turned=turned, thrice=thrice)
