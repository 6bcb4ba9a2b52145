import sys

import numpy as np

def f(x, n):
    x = np.sqrt(x)
    if n > 1:
        x = x.sum()
    else:
        x = [float(v) for v in x]
    return x


def g(x):
    y = x
    x = np.cos(x)
    x += 1
    y = y + x
    x = "done"
    return y, x


def h(x):
    for x in (x, x * 2):
        x = np.sin(x)
    return x


a = np.arange(4.0)
np.savez(sys.argv[1], f(a, 2), f(a, 1), g(a)[0], h(a), a)
