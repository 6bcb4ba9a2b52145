"""``range(2.0)`` raises TypeError, also where a kernel would not look at the number."""

import sys
import numpy as np


def shift(x, y, n):
    for i in range(n):
        y[i] = x[i] * 2.0
    return y


y = np.zeros(6)
try:
    shift(np.ones(6), y, 2.0)
    said = 0.0
except TypeError:
    said = 1.0
np.savez(sys.argv[1], y=y, said=said)
