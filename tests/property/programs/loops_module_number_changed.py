"""A number of the module may be set to another one while the program runs."""

import sys
import numpy as np

K = 2
N = 4


def scale(x, y):
    for i in range(len(x)):
        y[i] = x[i] * K
    return y


def head(x, y):
    for i in range(N):
        y[i] = x[i] + 1.0
    return y


scale(np.ones(3), np.zeros(3)); head(np.ones(4), np.zeros(4))
me = sys.modules[__name__]
setattr(me, "K", 5)
a = scale(np.ones(3), np.zeros(3))
setattr(me, "N", 6)
try:
    b = head(np.ones(5), np.zeros(8))
except IndexError:
    b = "IndexError"
np.savez(sys.argv[1], a=a, b=b)
