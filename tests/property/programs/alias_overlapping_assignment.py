import sys

import numpy as np

def shift(a):
    a = np.cos(a)
    a[1:] = a[:-1]
    a[:-1] += a[1:]
    a[::-1] = a
    b = np.arange(6.0) * 2
    b[2:] = b[:4] + 1
    b[:3], b[3:] = b[3:], b[:3]
    np.add(b[1:], b[:-1], out=b[1:])
    return a, b


np.savez(sys.argv[1], *shift(np.arange(7.0)))
