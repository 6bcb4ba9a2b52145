import sys

import numpy as np

def gather(a):
    a = np.exp(-a)
    kept = []
    kept.extend([a[0], a[1]])
    kept.insert(0, a[2])
    kept += [a[3]]
    kept = kept + [a[4]]
    a *= 0.0
    return np.array(kept) + a[:5]


np.savez(sys.argv[1], r=gather(np.arange(6.0)))
