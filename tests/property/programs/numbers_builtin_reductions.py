import sys

import numpy as np

def f(a):
    a = np.sqrt(a)
    return sum(a), max(a), min(a), any(a > 1), all(a > 1), sorted(a), len(a), list(reversed(a))


r = f(np.arange(6.0))
print(r[0], r[3], r[4])
print([type(v).__name__ for v in r])
np.savez(sys.argv[1], a=r[0], b=r[1], c=r[2], d=r[5], e=r[7])
