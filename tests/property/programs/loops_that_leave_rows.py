import sys

import numpy as np


def last_of(v, n):
    r = 0.0
    for x in v:
        r = x
    out = np.zeros(n)
    out += r
    return np.sin(out) * r


def weighed(v, w):
    s = 0.0
    for x in v:
        s = s + x * 2.0
        t = x
    y = np.sqrt(w) * s + np.cos(w) * t
    return y / (1 + y * y)


def summed(v, w):
    v = np.asarray(v, dtype=np.float64)
    s = 0.0
    for i in range(len(v)):
        s += v[i] * v[i]
    y = np.sqrt(w + 1.0)
    y = y * s
    return y.sum(axis=0)


class Series:
    def __init__(self, data):
        self.data = np.asarray(data)

    def weighed(self, w):
        s = 0.0
        for x in self.data:
            s += x
        s /= len(self.data)
        return np.exp(w - 1.0) * s


w = np.arange(3.0)
found = {}
for k, v in enumerate((np.arange(6.0), np.arange(6.0).reshape(2, 3))):
    for f in (weighed, summed):
        found[f"{f.__name__}{k}"] = f(v, w)
    found[f"last{k}"] = last_of(v, 3)
    found[f"series{k}"] = Series(v).weighed(w)
    found[f"number{k}"] = summed(v, 2.0)
    print(type(found[f"summed{k}"]), type(found[f"number{k}"]))
np.savez(sys.argv[1], **found)
