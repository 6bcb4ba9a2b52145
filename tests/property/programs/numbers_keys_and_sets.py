import sys

import numpy as np

def f(a):
    a = np.floor(np.sqrt(a))
    d = {}
    d[a[0]] = "zero"
    d[a.max()] = "max"
    seen = {a[1], a[2]}
    names = {v: i for i, v in enumerate(a)}
    return sorted(d), sorted(seen), sorted(names), a.max() in d, a.min() in (0.0, 1.0)


r = f(np.arange(6.0))
print(r)
np.savez(sys.argv[1], r=np.array(r[0]))
