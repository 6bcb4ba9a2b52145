import sys
import numpy as np

def f(a, b):
    out = np.empty_like(b)
    for i in range(len(a)):
        out[i] = np.linalg.solve(a[i], b[i])
    return out

def g(ms):
    res = []
    for m in ms:
        u, s, vt = np.linalg.svd(m, full_matrices=False)
        res.append((u * s) @ vt)
    return res

rng = np.random.default_rng(0)
a = rng.normal(size=(7, 4, 4)) + 4 * np.eye(4)
b1 = rng.normal(size=(7, 4))
b2 = rng.normal(size=(7, 4, 3))
ls = [rng.normal(size=(k, 3)) for k in (3, 4, 5, 4, 3, 3)]
np.savez(sys.argv[1], x1=f(a, b1), x2=f(a, b2), g=np.concatenate(g(ls)), n=len(g([])), e=f(a[:0], b1[:0]))
