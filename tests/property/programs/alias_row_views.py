import sys

import numpy as np

def rows(m):
    m = np.exp(-m)
    for i in range(m.shape[0]):
        row = m[i]
        row += i
        row[0] = -1.0
    for row in m:
        row *= 2.0
    first = m[0]
    m[0, 1] = 77.0
    return m, first * 1.0


m, f = rows(np.arange(12.0).reshape(3, 4))
np.savez(sys.argv[1], m=m, f=f)
