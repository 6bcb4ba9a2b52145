import sys
import zlib

import numpy as np


def along(x, axis):
    before = (slice(None),) * axis
    part = x[before + (slice(1, None),)]
    part *= np.exp(np.sin(part) + np.cos(part) * np.sqrt(part))
    part += np.exp(np.sin(part) + np.cos(part) * np.sqrt(part))
    return part


def told(n, axis):
    x = np.ones((n, n + 1))
    index = [slice(None)] * x.ndim
    index[axis] = slice(1, None)
    y = x[tuple(index)]
    y *= np.exp(np.sin(y) + np.cos(y) * np.sqrt(y))
    y += np.exp(np.sin(y) + np.cos(y) * np.sqrt(y))
    return zlib.crc32(x.round(6)), x


def turns(x, axis):
    out = np.exp(x) * np.sin(x)
    at = [slice(None)] * x.ndim
    for k in range(x.shape[axis]):
        at[axis] = k
        row = out[tuple(at)]
        row -= row.mean()
        out[tuple(at)] = row * np.cos(row) + x[tuple(at)]
    return out


def one_or_more(n, whole):
    x = np.exp(np.arange(n * 1.0) / 10)
    s = slice(1, None) if whole else 0
    y = x[s]
    x[s] = 7.0
    return y, np.sin(x) + np.cos(x)


m = np.linspace(0.1, 2.0, 12).reshape(3, 4)
r = [along(m, 1), m]
for axis in (0, 1):
    crc, x = told(3, axis)
    r += [np.array(crc), x, turns(m, axis)]
r += [*one_or_more(5, True), *one_or_more(5, False)]
np.savez(sys.argv[1], *r)
