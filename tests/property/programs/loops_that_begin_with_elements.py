import sys

import numpy as np


def product(a: np.ndarray, b: np.ndarray):
    y = a[0]
    t = 2.0
    for i in range(1, len(b)):
        y *= b[i]
    z = np.sqrt(np.abs(b)) + t
    return z - y, z.sum()


def softmax(x: np.ndarray):
    m = x[0]
    for i in range(1, len(x)):
        if x[i] > m:
            m = x[i]
    e = np.exp(x - m)
    return e / e.sum()


def scaled(x: np.ndarray):
    lo = hi = x[0]
    for v in x:
        lo = min(lo, v)
        hi = max(hi, v)
    return (x - lo) / (hi - lo + 1.0)


b = np.linspace(0.5, 1.5, 6)
x = np.cos(np.arange(1000.0))
found = {"softmax": softmax(x), "scaled": scaled(x), "column": softmax(x[:, None])}
found["column scaled"] = scaled(x[:, None])
for k, a in enumerate((np.arange(1.0, 5.0), np.arange(1.0, 5.0)[:, None], np.ones((2, 6)))):
    found[f"each{k}"], found[f"sum{k}"] = product(a, b)
np.savez(sys.argv[1], **found)
