import sys

import numpy as np

def views(m):
    m = np.cos(m)
    m.T[0, 1] = 5.0
    m.flat[3] = 6.0
    np.ravel(m)[4] = 7.0
    np.reshape(m, -1)[5] = 8.0
    np.squeeze(m[None])[0, 0] = 9.0
    np.swapaxes(m, 0, 1)[1, 2] = 10.0
    np.atleast_2d(m[0])[0, 2] = 11.0
    np.diagonal(m)
    m.T.ravel()[0] = 1000.0
    m.T.reshape(-1)[1] = 2000.0
    m.flatten()[0] = 3000.0
    v = m.view()
    v[2, 2] = 12.0
    a, b = np.split(m, 2, axis=1)
    a[0] += 1.0
    b[1] -= 1.0
    h = np.hsplit(m, 2)
    h[0][0, 0] = 4.5
    e = np.expand_dims(m, 0)
    e[0, 3, 3] = 13.0
    r = m.real
    r[1, 1] = 14.0
    return m


np.savez(sys.argv[1], m=views(np.arange(16.0).reshape(4, 4)))
