import sys

import numpy as np

def pick(a):
    a = np.sqrt(a) + np.cos(a)
    if (m := a[0]) > 0:
        a *= 0.0
    return m + a


np.savez(sys.argv[1], r=pick(np.arange(1.0, 5.0)))
