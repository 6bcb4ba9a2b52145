import sys

import numpy as np

def f(a, n):
    total = 0
    best = None
    for i in range(n):
        total += np.sum(np.sqrt(a))
        best = total
    return total, best


def g(a, n):
    err = 1
    while err > 0.5 and n > 0:
        err = np.max(np.abs(np.sin(a) / n))
        n -= 1
    return err


for n in (0, 2):
    t, b = f(np.arange(3.0), n)
    print(type(t).__name__, type(b).__name__, t, b)
    print(type(g(np.arange(3.0), n)).__name__)
np.savez(sys.argv[1], t=f(np.arange(3.0), 0)[0], u=f(np.arange(3.0), 2)[0], g=g(np.arange(3.0), 0))
