import sys
import zlib

import numpy as np


def told(n, k):
    x = np.ones((n, n)) * 1.25
    y = x[*[slice(1, None)] * k]
    y *= np.exp(np.sin(y) + np.cos(y) * np.sqrt(y))
    y += np.exp(np.sin(y) + np.cos(y) * np.sqrt(y))
    return zlib.crc32(x.round(6)), x


def rows(x, k):
    y = np.exp(x) + np.sqrt(x)
    row = y[*(slice(None),) * k, 0]
    row *= np.sin(row)
    y[*[slice(1, 2)] * k, 1:] = np.cos(y[*[slice(1, 2)] * k, 1:])
    return y * 2


def element(x, *index):
    y = np.exp(x) + np.sqrt(x)
    v = y[*index]
    y[*index] = 0.0
    y *= 2
    return v, y


def places(x):
    y = np.exp(x) + np.sqrt(x)
    at = np.array([1, 2]) + np.array([0, 1])
    v = y[*at]
    y[*at] = 5.0
    w = y[*np.nonzero(y > 9)]
    y[*np.nonzero(y > 9)] = np.arange(w.size) * 0.5
    return v, w, y * np.sin(y)


m = np.linspace(0.1, 2.5, 20).reshape(4, 5)
r = [*told(4, 2), rows(m, 1), *element(m, 1, 2), *element(m, 0), *places(m)]
np.savez(sys.argv[1], *r)
