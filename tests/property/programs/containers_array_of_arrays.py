import sys

import numpy as np

def f(a):
    b = np.sqrt(a)
    x = np.array([b, a])
    y = np.array([b, [1, 2, 3, 4]])
    z = np.stack((a, b), axis=1)
    w = np.array([(b, a), (a, b)])
    v = np.column_stack([a, b])
    u = np.vstack((a, [0, 0, 1, 1]))
    t = np.asarray([b, b])
    t[0, 0] = 9.0
    return x, y, z, w, v, u, t, b


np.savez(sys.argv[1], *f(np.arange(4.0)))
