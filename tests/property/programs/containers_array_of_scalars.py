import sys

import numpy as np

def f(a):
    s, t = np.sqrt(a).sum(), np.cos(a).max()
    x = np.array([s, t])
    y = np.array([1, s])
    z = np.array([[s, 2.0], [3, t]])
    w = np.array([s, a[0], 5], dtype=np.float32)
    v = np.asarray([s, t, float(s)])
    u = np.array((s, t)) * 2
    q = np.hstack([a, s])
    p = np.append(a, s)
    o = np.full(3, s)
    n = np.full_like(a, t)
    m = np.concatenate([a, [s, t]])
    k = np.r_[a, s]
    return x, y, z, w, v, u, q, p, o, n, m, k


np.savez(sys.argv[1], *f(np.arange(4.0)))
