"""Parameters that look like numbers, given as arrays: the caller's are changed in place."""
import sys

import numpy as np


def default_array(x, w=np.arange(1.0, 4)):
    y = np.exp(-x) * np.sin(x) * w
    w += y
    return y


def default_number(x, w=1.0):
    w += np.exp(-x) * np.sin(x) * w
    return w * 2


def total_of_rows(x, total=0.0):
    for k in range(3):
        total += np.sum(np.exp(x) * k)
    return total


def annotated(x, w: float):
    for k in range(2):
        w *= np.sum(np.sin(x) ** 2)
    return np.cos(x) * w


def keyword(x, *, w=2):
    w -= np.exp(-x) * np.sin(x)
    return np.sqrt(np.abs(w))


functions = (default_array, default_number, total_of_rows, annotated, keyword)
out = {}
for name, f in zip("abcde", functions):
    for k, given in enumerate((2.0, np.float64(0.5), np.full(3, 0.25), np.ones(6)[::2])):
        x = np.array(list(map(float, "123")))
        r = f(x, **{"total" if f is total_of_rows else "w": given})
        out[f"{name}{k}"], out[f"{name}{k}_given"] = r, given
        print(name, k, type(r).__name__, r is given)
    if f is default_array:
        out["first"], out["again"] = f(np.ones(3)), f(np.ones(3))
np.savez(sys.argv[1], **out)
