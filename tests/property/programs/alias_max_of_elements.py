import sys

import numpy as np

def peak(a, b):
    a = np.sqrt(a + b)
    m = max(a[0], a[1])
    a[:] = 100.0 + b
    return m * np.ones(3) + a[:3]


np.savez(sys.argv[1], r=peak(np.arange(4.0), np.arange(4.0) * 2))
