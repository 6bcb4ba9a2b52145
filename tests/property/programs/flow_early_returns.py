import sys

import numpy as np

def f(a, mode):
    if mode == 0:
        return None
    if mode == 1:
        return a
    if mode == 2:
        return np.sqrt(a), "two"
    if mode == 3:
        return np.sqrt(a).sum()
    if mode == 4:
        return []
    if mode == 5:
        return {"a": np.cos(a)}
    return "other"


a = np.arange(4.0)
r = [f(a, k) for k in range(7)]
print([type(v).__name__ for v in r], r[0], r[1] is a, r[4], r[6])
np.savez(sys.argv[1], a=r[1], b=r[2][0], c=r[3], d=r[5]["a"])
