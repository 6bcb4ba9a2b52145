import sys

import numpy as np

def accumulate(x, state=np.zeros(3)):
    state += np.sin(x)
    return state * 2.0


def fallback(x, weights=None):
    if weights is None:
        weights = np.ones_like(x)
    weights = weights / np.sum(weights)
    return np.sum(x * weights)


r1 = accumulate(np.arange(3.0))
r2 = accumulate(np.arange(3.0))
f1 = fallback(np.arange(3.0))
f2 = fallback(np.arange(3.0), np.array([1.0, 2.0, 3.0]))
f3 = fallback(np.arange(3.0), weights=[1, 2, 3])
np.savez(sys.argv[1], r1=r1, r2=r2, f1=f1, f2=f2, f3=f3)
