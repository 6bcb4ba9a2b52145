import sys

import numpy as np

def collect(m):
    m = np.exp(-m)
    rows = [r for r in m]
    listed = list(m)
    first, *rest = m
    top, bottom = m[0], m[-1]
    m[:] = 3.0
    rows[0] += 1.0
    return np.array(rows), np.array(listed), first * 1, np.array(rest), top + bottom, m


r = collect(np.arange(9.0).reshape(3, 3))
np.savez(sys.argv[1], *r)
