import sys
import numpy as np

def aliased(a):
    # rows written while others are read
    for i in range(len(a)):
        a[i] = a[i] @ a[i].T + np.linalg.inv(a[i])
    return a

def shifted(a, out):
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])

def keep(a, b):
    res = np.zeros(len(a))
    for i in range(len(a)):
        x = b[i, 0]
        b[i] = np.linalg.solve(a[i], b[i])
        res[i] = x + b[i, 1]
    return res

rng = np.random.default_rng(0)
a = rng.normal(size=(6, 3, 3)) + 3 * np.eye(3)
b = rng.normal(size=(6, 3))
c = a.copy()
shifted(c[:5], c[1:])
r = keep(a, b)
np.savez(sys.argv[1], a=aliased(a.copy()), c=c, r=r, b=b)
