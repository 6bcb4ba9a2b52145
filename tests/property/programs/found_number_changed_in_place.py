import sys
import numpy as np

def addone(v, w):
    v += w * 2.0

def f(a, b, ax=None):
    s = np.dot(np.sin(a), b)
    t = s
    t += 1.0
    u = np.sum(np.cos(a), axis=ax)
    w = u
    w -= 3
    z = np.sum(np.exp(a), axis=ax)
    addone(z, 3.0)
    return s, t, u, w, z

def g(a):
    s = np.sin(a).sum()
    addone(s, np.cos(a).max())
    return s

x = np.linspace(0, 1, 5)
m = np.eye(5) + 1
out = {}
for k, (p, q, ax) in enumerate([(x, x, None), (m, m, 0), (m, x, 1), (m, m, None)]):
    for j, r in enumerate(f(p, q, ax)):
        out[f"r{k}_{j}"] = r
out["g"] = g(x)
np.savez(sys.argv[1], **out)
