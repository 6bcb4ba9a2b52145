"""NumPy's numbers that only the host knows, where CuPy takes arrays, and arrays made of them."""
import sys

import numpy as np


def axes(x):
    n = np.sum([1.0, 2.0]) * 2
    m = n[None]
    y = np.sin(x) * np.exp(x)
    y += m
    return y * m[..., None]


def outer(x):
    n = np.float64(3.0) * 2
    return np.sin(np.outer(n, x)) * np.exp(np.outer(n, n))


def copied(x):
    n = np.mean([1, 2])
    return np.copy(n) + np.sin(x) * np.exp(x), np.dot(n, np.cos(x) * np.sqrt(x))


def product(a, b):
    z = np.exp(np.sin(3)) * a
    return np.abs(np.copy(z)) * np.sin(b)


def counted(x):
    s = 1
    s += np.cos(0.5)
    n = 3
    n /= np.float64(2)
    y = np.full(len(x), s)
    return y * np.exp(x), np.sin(x) * s[None], np.arange(len(x)) * n * np.cos(x)


x = np.linspace(0.5, 1.5, 3)
out = {"axes": axes(x), "outer": outer(x)}
out["copied"], out["dot"] = copied(x)
for k, a in enumerate((1.5, np.float64(2.0), x)):
    out[f"product{k}"] = product(a, x)
out["c0"], out["c1"], out["c2"] = counted(x)
np.savez(sys.argv[1], **out)
