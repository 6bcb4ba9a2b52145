import sys

import numpy as np

def elements(a):
    a = np.exp(-a)
    kept = []
    pairs = {}
    for i in range(3):
        kept.append(a[i])
        pairs[i] = a[i]
        a += 1.0
    extra = [a[0], a[1]]
    both = (a[0], a[1])
    a[:] = 0.0
    return kept, pairs, extra, both


k, p, e, b = elements(np.arange(4.0))
np.savez(sys.argv[1], k=np.array(k), p=np.array(list(p.values())), e=np.array(e), b=np.array(b))
