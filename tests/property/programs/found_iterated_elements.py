import sys

import numpy as np

def collect(a):
    a = np.exp(-a)
    kept = [v for v in a]
    named = {i: v for i, v in enumerate(a)}
    pairs = list(zip(a, a[::-1]))
    listed = list(a)
    a[:] = 0.0
    return kept, named, pairs, listed


k, n, p, li = collect(np.arange(4.0))
np.savez(sys.argv[1], k=np.array(k), n=np.array(list(n.values())), p=np.array(p), li=np.array(li))
