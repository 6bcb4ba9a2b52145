import sys

import numpy as np

def f(a, b):
    a = np.sqrt(a)
    s = sum(x * x for x in a)
    t = sum(x * y for x, y in zip(a, b))
    m = max(a, key=lambda v: -v)
    z = list(map(float, a))
    q = any(v > 1 for v in a)
    return s, t, m, q, z


r = f(np.arange(6.0), np.ones(6))
print(r)
np.savez(sys.argv[1], *[np.asarray(v) for v in r])
