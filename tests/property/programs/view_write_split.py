import sys

import numpy as np

def f(m):
    m = np.cos(m)
    a, b = np.split(m, 2, axis=1)
    a += 1.0
    b[1] -= 1.0
    parts = np.array_split(m, 3)
    parts[0][0] = 4.5
    return m * 2.0


np.savez(sys.argv[1], m=f(np.ones((4, 4))))
