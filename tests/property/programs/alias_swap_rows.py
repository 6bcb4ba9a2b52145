import sys

import numpy as np

def swap(a):
    a = np.sin(a)
    a[0], a[1] = a[1], a[0]
    b = a.copy()
    b[0], b[1] = b[1].copy(), b[0].copy()
    x, y = a[0], a[1]
    x, y = y, x
    x += 1.0
    return a, b, x, y


a, b, x, y = swap(np.arange(12.0).reshape(4, 3))
np.savez(sys.argv[1], a=a, b=b, x=x, y=y)
