import sys

import numpy as np

def pick(a, flag):
    a = np.sqrt(a) + np.cos(a)
    m = a[0] if flag else a[-1]
    a *= 0.0
    return m + a


np.savez(sys.argv[1], r=pick(np.arange(1.0, 5.0), True), s=pick(np.arange(1.0, 5.0), False))
