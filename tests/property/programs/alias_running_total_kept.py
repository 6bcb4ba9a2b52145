import sys

import numpy as np

def history(a, n):
    total = 0
    kept = []
    for _ in range(n):
        total += np.sqrt(a)
        kept.append(total)
    return np.array(kept)


def once(a):
    total = 0.0
    total += np.sqrt(a)
    same = total
    total += np.cos(a)
    return same


a = np.arange(1.0, 4.0)
np.savez(sys.argv[1], h=history(a, 3), o=once(a))
