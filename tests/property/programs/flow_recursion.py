import sys

import numpy as np

def halve(a, depth):
    if depth == 0 or len(a) < 2:
        return np.sqrt(a)
    k = len(a) // 2
    return np.concatenate([halve(a[:k], depth - 1), halve(a[k:], depth - 1) * 2.0])


def even(a, n):
    return a if n == 0 else odd(np.cos(a), n - 1)


def odd(a, n):
    return np.sin(a) if n <= 1 else even(np.sin(a) + 1, n - 1)


np.savez(sys.argv[1], halve(np.arange(8.0), 3), even(np.arange(3.0), 3))
