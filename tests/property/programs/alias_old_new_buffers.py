import sys

import numpy as np

def jacobi(u, steps):
    old = np.cos(u)
    new = np.zeros_like(old)
    for _ in range(steps):
        new[1:-1] = 0.5 * (old[2:] + old[:-2])
        old, new = new, old
    return old, new


def keep(u):
    prev = np.cos(u)
    cur = prev
    cur += 1.0
    prev[0] = -5.0
    return prev, cur


a, b = jacobi(np.arange(8.0), 3)
c, d = keep(np.arange(4.0))
np.savez(sys.argv[1], a=a, b=b, c=c, d=d)
