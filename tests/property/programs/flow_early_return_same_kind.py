import sys

import numpy as np

def f(a, tol):
    if a.size == 0:
        return 0.0
    for k in range(50):
        new = 0.5 * (a + 2.0 / a)
        if np.max(np.abs(new - a)) < tol:
            return new
        a = new
    return a


np.savez(sys.argv[1], f(np.ones(3), 1e-9), f(np.ones(3), 0.0), f(np.ones(0), 1.0))
