import sys

import numpy as np

import functools


def twice(g):
    @functools.wraps(g)
    def inner(*args, **kwargs):
        return g(*args, **kwargs) * 2

    return inner


@twice
def f(a):
    return np.sin(a)


@functools.lru_cache(maxsize=None)
def window(n):
    return np.hanning(n) * 2.0


w = window(5)
w[0] = 3.0
print(window(5) is w)
np.savez(sys.argv[1], f=f(np.arange(3.0)), w=window(5))
