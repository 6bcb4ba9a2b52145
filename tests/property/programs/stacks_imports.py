import sys
import numpy as np

from numpy import linalg as la
from numpy.linalg import inv, svd
import numpy.linalg

def f(a):
    return [inv(m) for m in a]

def g(a):
    out = []
    for m in a:
        out.append(la.det(m @ m.T) + numpy.linalg.norm(m))
    return np.asarray(out)

def h(a):
    res = np.zeros(a.shape[:2])
    for i in range(a.shape[0]):
        # singular values only
        res[i] = svd(a[i],
                     compute_uv=False)  # largest first
    return res

def k(a, *, full=False):
    return [svd(m, full_matrices=full) for m in a]

rng = np.random.default_rng(0)
a = rng.normal(size=(6, 3, 3)) + 3 * np.eye(3)
r = k(a)
print(hasattr(r[0], "_fields"), len(r[0]))
np.savez(sys.argv[1], f=np.array(f(a)), g=g(a), h=h(a), k=np.array([x[1] for x in r]))
