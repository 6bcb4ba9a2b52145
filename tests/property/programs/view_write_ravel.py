import sys

import numpy as np

def f(m):
    m = np.cos(m)
    np.ravel(m)[4] = 7.0
    np.reshape(m, -1)[5] = 8.0
    m.reshape(2, 8)[1, 1] = 18.0
    r = m.ravel()
    r[2:4] += 3.0
    return m * 2.0


np.savez(sys.argv[1], m=f(np.ones((4, 4))))
