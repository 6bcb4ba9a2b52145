import sys

import numpy as np

def f(m):
    m = np.cos(m)
    m.T[0, 1] = 5.0
    t = m.T
    t += 1.0
    m.T.ravel()[0] = 1000.0
    m.T.reshape(-1)[1] = 2000.0
    m.flatten()[0] = 3000.0
    return m * 2.0


np.savez(sys.argv[1], m=f(np.ones((4, 4))))
