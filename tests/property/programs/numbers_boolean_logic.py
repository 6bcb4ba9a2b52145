import sys

import numpy as np

def f(a, b):
    a = np.sqrt(a)
    s, t = a.sum(), b.sum()
    out = []
    if s > 1 and t > 1:
        out.append(1)
    if 0 < s < 100 and not t < 0:
        out.append(2)
    flag = s > 3 or t > 100
    both = s and t
    alt = (a.min() or 7.5)
    n = not s
    w = s > 1
    out.append(int(w))
    return out, flag, both, alt, n, w, (w & (t > 0)), w == True


r = f(np.arange(6.0), np.arange(3.0))
print(r)
print([type(v).__name__ for v in r])
np.savez(sys.argv[1], np.array(r[0]), *[np.asarray(v) for v in r[1:]])
