import sys

import numpy as np

def swap(v):
    v = np.sin(v)
    v[0], v[1] = v[1], v[0]
    v[2], v[-1] = v[-1], v[2]
    return v * 2.0


np.savez(sys.argv[1], v=swap(np.arange(5.0)))
