import sys

import numpy as np


def low(x, share):
    _, s, _ = np.linalg.svd(np.exp(x), full_matrices=False)
    return rank(s, share)


def rank(s, share):
    if share == 0:
        return len(s)
    energy = np.cumsum(s**2 / (s**2).sum())
    return np.searchsorted(energy, share) + 1


m = np.sin(np.arange(20.0)).reshape(4, 5)
r = [low(m, share) for share in (0, 0.5, 0.99)]
np.savez(sys.argv[1], *r, np.array([type(one).__name__ for one in r]))
