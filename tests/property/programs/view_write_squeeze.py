import sys

import numpy as np

def f(m):
    m = np.cos(m)
    np.squeeze(m[None])[0, 0] = 9.0
    np.swapaxes(m, 0, 1)[1, 2] = 10.0
    np.expand_dims(m, 0)[0, 3, 3] = 13.0
    np.moveaxis(m, 0, 1)[0, 2] = 14.0
    np.atleast_2d(m)[2, 0] = 11.0
    return m * 2.0


np.savez(sys.argv[1], m=f(np.ones((4, 4))))
