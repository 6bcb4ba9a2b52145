import sys

import numpy as np

def step(p, v):
    x, y = p
    p += np.cos(v) * 3.0
    return np.array([x, y]) * np.sin(p)


p = np.array([1.0, 2.0])
r = step(p, np.array([0.5, 0.25]))
np.savez(sys.argv[1], p=p, r=r)
