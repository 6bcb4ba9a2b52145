import sys

import numpy as np

def flags(x):
    a = x.astype(float, copy=False)
    a += 1.0
    b = np.array(x, copy=True)
    b += 5.0
    c = np.nan_to_num(x, copy=False)
    c *= 2.0
    d = np.ascontiguousarray(x)
    d[0] = 9.0
    e = np.ascontiguousarray(x[::-1])
    e[0] = 19.0
    return np.sin(a) + b + e


x = np.array([1.0, np.nan, 3.0])
r = flags(x)
np.savez(sys.argv[1], x=x, r=r)
