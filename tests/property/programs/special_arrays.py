import sys

import numpy as np

def masked(a):
    m = np.ma.masked_greater(a, 1.0)
    return (np.sin(m) * 2).filled(-1.0), m.mean(), np.ma.count_masked(m)


def scale(x):
    return np.sqrt(x) * 2.0


def structured(n):
    t = np.zeros(n, dtype=[("x", "f8"), ("k", "i4")])
    t["x"] = np.sqrt(np.arange(n))
    t["k"][1:] += 3
    return t["x"] * t["k"], t[t["k"] > 0]["x"]


def words():
    w = np.array(["bb", "a", "ccc"])
    return np.char.upper(w), np.char.str_len(w) * 2.0, np.sort(w)


def days():
    d = np.arange("2024-01-01", "2024-01-05", dtype="datetime64[D]")
    return (d - d[0]).astype(int) * 1.5


m = np.ma.masked_greater(np.arange(4.0), 2.0)
r = scale(m)
print(type(r).__name__, r.mask.tolist())
x = scale(np.matrix([[4.0, 9.0]]))
print(type(x).__name__)
np.savez(sys.argv[1], *masked(np.arange(3.0)), *structured(4), *words(), days(), r.filled(0), x, scale([1, 4]), scale(9.0), scale((1.0, 2.0)))
