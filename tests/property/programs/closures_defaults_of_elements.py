"""Defaults of inner functions and lambdas that are elements, rows and results."""

import numpy as np


def lam(x):
    f = lambda y, s=x[1]: y * 2.0 + s
    x[:2] = 10.0
    return f(np.convolve(x, x[:9], "same"))


def inner(x):
    def g(y, s=x[3], w=x[:2], t=x.max()):
        return y * s + w.sum() + t

    x[:5] = 10.0
    return g(np.convolve(x, x[:9], "same"))


def loops(x):
    fs = []
    for k in range(3):
        fs.append(lambda y, s=x[k], r=x[k:]: y * s + r[0])
    x[:3] = 4.0
    out = np.convolve(x, x[:9], "same")
    for f in fs:
        out = f(out)
    return out


def named(x):
    v = x[2]
    w = x[2:4]

    def h(y):
        return y * v + w[0]

    x[2] = 8.0
    return h(np.convolve(x, x[:9], "same"))


def main():
    x = np.sin(np.arange(2000.0))
    print(f"{lam(x.copy()).sum():.6f}")
    print(f"{inner(x.copy()).sum():.6f}")
    print(f"{loops(x.copy()).sum():.6f}")
    print(f"{named(x.copy()).sum():.6f}")


main()
