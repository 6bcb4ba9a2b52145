import sys

import numpy as np

def f(a, n):
    s = np.sum(np.sqrt(a))
    first = s
    kept = [s]
    for i in range(n):
        s += np.cos(a).sum()
        kept.append(s)
        s *= 0.5
    d = {"s": s, "first": first}
    s -= 1.0
    return np.array(kept), d["s"], d["first"], s


np.savez(sys.argv[1], *f(np.arange(3.0), 3))
