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
