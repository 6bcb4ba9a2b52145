# BAD-PORT / BAD-MESSAGE: GP502 ("a store through repeated indices keeps the last value in NumPy ...") where it cannot matter:
#   H[i, i + 1] = beta            a scalar is stored: the same whatever the order, repeated or not; i = arange(n - 1)
#   ranks[order] = np.arange(..)  order = argsort: a permutation
#   cash[np.where(m)[0]] = v      np.where/nonzero/flatnonzero: unique
#   a[[k, p]] = a[[p, k]]
# Consequence in `auc`: only argsort and the last line go to the device: ranks[cp.asnumpy(order)], cp.asarray(ranks)[y == 1].
# Should: no GP502 for a number (or 0-d) on the right side, nor for an index that is arange/argsort/permutation/where/nonzero/diag_indices.
import sys

import numpy as np


def huckel(n, beta=-1.0):
    H = np.diag(np.full(n, 0.0))
    i = np.arange(n - 1)
    H[i, i + 1] = beta
    e, c = np.linalg.eigh(H)
    return e


def auc(y, s):
    order = np.argsort(s)
    ranks = np.empty(len(s))
    ranks[order] = np.arange(1, len(s) + 1)
    npos = y.sum()
    return (ranks[y == 1].sum() - npos * (npos + 1) / 2) / (npos * (len(y) - npos))


if __name__ == "__main__":
    rng = np.random.RandomState(0)
    np.savez(sys.argv[1], e=huckel(6), a=auc((rng.rand(20) > 0.5).astype(int), rng.rand(20)))
