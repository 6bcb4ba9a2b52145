import sys

import numpy as np


def element(x, n):
    index = [0] * n
    index[0] = 1
    v = x[tuple(index)]
    x = np.exp(x) * np.sin(x)
    return v, x


def swapped(n, a, b):
    x = np.exp(np.arange(n * n * 1.0).reshape(n, n) / 10)
    i, j = (a,) * x.ndim, (b,) * x.ndim
    v = x[i]
    x[i] = x[j]
    x[j] = v
    return np.sin(x) + np.cos(x)


def without_the_largest(x):
    y = np.exp(x) * np.sin(x)
    at = tuple(int(k) for k in np.unravel_index(np.argmax(y), y.shape))
    top = y[at]
    y[at] = 0.0
    return top, y * 2


def repeated(x, n):
    y = np.exp(x)
    at = [slice(None)] * n
    at[0] = [0, 0, 1]
    y[tuple(at)] = np.arange(3.0)[:, None]
    at[0] = np.array([2, 2, 1])
    y[tuple(at)] = np.arange(3.0)[:, None] + 1
    return y


m = np.linspace(0.1, 2.0, 12).reshape(3, 4)
r = [*element(m, 2), swapped(4, 1, 2), *without_the_largest(m), repeated(m, 2)]
np.savez(sys.argv[1], *r)
