import sys

import numpy as np

def f(a):
    rows = [np.sin(a * k) for k in range(3)]
    sums = [r.sum() for r in rows if r.max() > 0.5]
    d = {k: r * 2 for k, r in enumerate(rows)}
    flat = [v for r in rows for v in r]
    pos = [i for i, r in enumerate(rows) if r[1] > 0]
    uniq = {int(r.sum() * 10) for r in rows}
    t = tuple(r[0] for r in rows)
    mat = np.array([[r[i] for i in range(2)] for r in rows])
    return np.array(rows), np.array(sums), d[1], np.array(flat), pos, sorted(uniq), t, mat


np.savez(sys.argv[1], *f(np.arange(4.0)))
