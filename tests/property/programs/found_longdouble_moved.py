import sys
import numpy as np


def f(a, b):
    b = np.cos(b) * 2.0
    x = a.astype(np.longdouble)
    r = (x * 2).astype(float)
    return r, np.exp(-a) * 2.0, np.exp(-b) * b


np.savez(sys.argv[1], *f(np.ones(3), np.ones(3)))
