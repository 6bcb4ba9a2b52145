import sys

import numpy as np

def f(a):
    a = np.sqrt(a)
    d = {"x": [a, a * 2], "y": {"z": (a + 1, 3)}}
    d["x"].append(np.cos(a))
    d["y"]["w"] = a.sum()
    a[0] = 50.0
    last = d["x"].pop()
    return d["x"][0] + d["y"]["z"][0], last, d["y"]["w"], len(d["x"]), d


r = f(np.arange(5.0))
np.savez(sys.argv[1], r[0], r[1], r[2], r[3], *r[4]["x"])
