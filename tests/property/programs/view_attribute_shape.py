import sys

import numpy as np

def f(m):
    m = np.cos(m)
    m.shape = (2, 8)
    v = m.view()
    v[0, 0] = 4.0
    return m * 2.0


np.savez(sys.argv[1], m=f(np.ones((4, 4))))
