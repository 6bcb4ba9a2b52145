import sys

import numpy as np


def scan(x, edges):
    y = np.exp(x) * np.sin(x) + np.sqrt(np.abs(x))
    a = any(v > 2 for v in y)
    b = all(y[i] <= y[i + 1] for i in range(len(y) - 1))
    c = sum(v for v in y)
    d = sum(y[i] * i for i in range(len(y)))
    e = max(abs(y[i] - y[i - 1]) for i in range(1, len(y)))
    f = [v for v in y if v > 1]
    g = tuple(float(v) for v in y)
    h = sum(1 for v in y if v > 1)
    k = sum(len(r) for r in np.split(y, 3))
    l = sum(y[a:b].sum() for a, b in edges)
    m = min(((v - 1) ** 2, i) for i, v in enumerate(y))
    n = max(range(len(y)), key=lambda i: y[i])
    y[0] = 5
    return y * 2, a, b, c, d, e, len(f), g, h, k, l, m, n


def empty(x, names=(1, 2)):
    y = np.cos(x) + np.sin(x)
    s = sum(y * k for k in names)
    return y, s


def shadow(x):
    i = 7
    t = sum(np.sin(x) * i for i in range(3))
    u = sum(np.sin(x * i) * j for i in range(2) for j in range(i + 1) if j != 1)
    return t + i, u


def lazy_in_sum(x):
    y = np.sin(x)
    z = sum(p for p in (y * k for k in range(3)))
    w = sum(map(np.sum, (y, y * 2)))
    return z, w


if __name__ == "__main__":
    x = np.linspace(0, 3, 12)
    out = scan(x, [(0, 3), (3, 8), (8, 12)]) + empty(x) + shadow(x) + lazy_in_sum(x)
    print([type(v).__name__ for v in out], type(out[11][0]).__name__)
    np.savez(sys.argv[1], **{f"o{k}": np.asarray(v) for k, v in enumerate(out)})
