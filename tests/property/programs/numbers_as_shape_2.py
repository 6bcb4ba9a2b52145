import sys

import numpy as np

def f(a):
    a = np.sqrt(a)
    k = (a > 1).sum()
    z = np.zeros(k) + 1.0
    return z * a.max()


def g(a):
    i = np.argmax(np.sin(a))
    return a[i], a[:i], a[i:], a[i - 1 : i + 1]


np.savez(sys.argv[1], f(np.arange(6.0)), *g(np.arange(6.0)))
