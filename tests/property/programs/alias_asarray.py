import sys

import numpy as np

def scale(x):
    y = np.asarray(x)
    y *= 2.0
    z = np.asarray(x, dtype=float)
    z += 1.0
    w = np.array(x)
    w += 100.0
    return np.sin(y) + w


def fresh(x):
    y = np.asarray(x, dtype=np.float32)
    y *= 2
    return np.sqrt(y)


x = np.arange(4.0)
r = scale(x)
i = np.arange(4)
f = fresh(i)
np.savez(sys.argv[1], x=x, r=r, i=i, f=f)
