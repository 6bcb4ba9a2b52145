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
for other in (np.arange(6), np.arange(12.0)[::2], np.array([np.nan, 4.0, 9.0]), [1.0, 4.0]):
    try:
        print([getattr(one, "shape", one) for one in f(other)])
    except (TypeError, ValueError) as error:
        print(type(error).__name__)
np.savez(sys.argv[1], *r)
