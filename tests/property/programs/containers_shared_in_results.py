"""A list that stands in a result twice is one list for the caller."""
import sys

import numpy as np


def both(mats):
    found = [0.0] * len(mats)
    other = found
    for i, m in enumerate(mats):
        found[i] = np.linalg.norm(m @ m.T)
    return other, found


def twice(a):
    b = np.sin(a) * np.exp(a)
    held = [b, b * 2]
    return {"x": held, "y": held, "t": (b, held)}


def rows(a):
    b = np.sqrt(np.abs(a)) + np.cos(a)
    return [[b] * 2] * 2


rng = np.random.default_rng(0)
o, f = both([rng.normal(size=(3, 3)) for _ in range(4)])
print(o is f)
r = twice(rng.normal(size=5))
print(r["x"] is r["y"], r["t"][1] is r["x"], r["t"][0] is r["x"][0])
m = rows(rng.normal(size=5))
m[0].append(m[0][0] + 1)
print(m[0] is m[1], len(m[1]), m[1][0] is m[1][1])
np.savez(sys.argv[1], o=o, x=r["x"][1], m=m[1][2])
