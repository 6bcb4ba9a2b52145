import sys

import numpy as np

def relax(f):
    f[1:-1] = 0.5 * (np.roll(f, 1) + np.roll(f, -1))[1:-1]
    f[f > 5] = np.sqrt(f[f > 5])


m = np.arange(24.0).reshape(4, 6)
relax(m[1])
relax(m[:, 2])
relax(m.T[3][::-1])
relax(m.reshape(-1)[::5])
np.savez(sys.argv[1], m=m)
