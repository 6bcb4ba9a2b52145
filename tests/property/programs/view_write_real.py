import sys

import numpy as np

def f(z):
    z = np.exp(1j * z)
    r = z.real
    r[1] = 14.0
    z.imag[:] = 2.0
    q = np.real(z)
    q[0] = -1.0
    w = np.imag(z)
    return z * 2.0, w * 1.0, np.real(np.abs(z))


r = f(np.linspace(0, 1, 5))
np.savez(sys.argv[1], *r)
