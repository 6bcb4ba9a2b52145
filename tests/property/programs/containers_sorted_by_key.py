import sys

import numpy as np

def f(a):
    rows = [(np.sqrt(a + i).sum() * (-1) ** i, i, np.cos(a * i)) for i in range(4)]
    rows.sort(key=lambda r: r[0])
    best = max(rows, key=lambda r: r[0])
    order = sorted(rows, key=lambda r: -r[1])
    return [r[1] for r in rows], best[2], order[0][0]


r = f(np.arange(5.0))
print(r[0])
np.savez(sys.argv[1], *r)
