import sys

import numpy as np

def f(a):
    a = np.sqrt(a)
    n = int(a.sum())
    k = (a > 1).sum()
    z = np.zeros(k)
    w = np.ones((k, 2))
    r = [0] * k
    t = a[:k]
    q = np.arange(k)
    total = 0
    for i in range(k):
        total += i
    rep = np.repeat(a, k)
    ti = np.tile(a, k)
    li = np.linspace(0, 1, k)
    rs = np.arange(k * 2).reshape(k, 2)
    ro = np.roll(a, k)
    return n, k, z, w, len(r), t, q, total, rep, ti, li, rs, ro


r = f(np.arange(6.0))
print(r[0], r[1], r[4], r[7])
np.savez(sys.argv[1], *r)
