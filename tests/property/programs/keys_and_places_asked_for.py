"""Keys of dicts and places in lists that are worked out on the device are values of Python."""

import numpy as np


def work(n):
    x = np.linspace(0.1, 1, n * 3).reshape(n, 3)
    x = np.sin(x * 9) + np.cos(x)
    m = {0: "a", 1: "b", 2: "c"}
    k = np.argmin(np.exp(x).sum(axis=0))
    j = x.sum(axis=0).argmax()
    seen = [0, 1, 2, 1]
    r = [m.get(k), m.get(x.sum(0).argmax(), "none"), m.setdefault(j, "z"), seen.index(j), seen.count(k), seen.pop(k)]
    seen.insert(j, 9)
    m[k + 5] = "new"
    best = m.pop(k, None)
    t = x.max()
    lim = {t: 1, t * 2: 2}
    return r, seen, best, sorted(map(int, m)) if isinstance(m, dict) else m, lim[t], (t in lim), (k in m), x * 2


for v in work(8):
    print(v)
