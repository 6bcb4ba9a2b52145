import sys

import numpy as np

def decay(parts, k):
    for p in parts:
        p *= np.exp(-k * p)
    for i in range(len(parts)):
        parts[i][:] = np.sqrt(parts[i])


x, y = np.arange(3.0), np.ones(4)
parts = [x, y, x]
decay(parts, 0.5)
d = {"x": np.arange(3.0)}
decay(list(d.values()), 0.1)
np.savez(sys.argv[1], x=x, y=y, d=d["x"])
