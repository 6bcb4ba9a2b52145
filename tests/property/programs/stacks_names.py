import sys
import numpy as np

class Filter:
    def __init__(self, r):
        self.r = r

    def gains(self, p):
        out = np.zeros_like(p)
        for k in range(len(p)):
            out[k] = p[k] @ np.linalg.inv(p[k] + self.r)
        return out

def global_write(a):
    for i in range(len(a)):
        OUT[i] = np.linalg.inv(a[i])

def default(a, out=None):
    if out is None:
        out = np.empty_like(a)
    for i in range(len(a)):
        out[i] = np.linalg.inv(a[i])
    return out

def rebound(a):
    out = np.empty_like(a)
    for i in range(len(a)):
        m = a[i]
        m = m @ m.T
        m = m + np.eye(3)
        out[i] = np.linalg.inv(m)
    return out

def swap(a):
    out = np.empty_like(a)
    for i in range(len(a)):
        x, y = a[i], a[i].T
        x, y = y, x
        out[i] = np.linalg.inv(x) - y
    return out

def einsums(a, v):
    res = np.zeros(len(a))
    for i in range(len(a)):
        res[i] = np.einsum("i,ij,j->", v[i], np.linalg.inv(a[i]), v[i])
    return res

rng = np.random.default_rng(0)
a = rng.normal(size=(5, 3, 3)) + 3 * np.eye(3)
OUT = np.zeros_like(a)
global_write(a)
o = np.zeros_like(a)
o2 = default(a, o)
assert o2 is o
np.savez(sys.argv[1], g=Filter(np.eye(3)).gains(a), G=OUT, d=default(a), o=o, r=rebound(a), s=swap(a), e=einsums(a, a[:, 0]))
