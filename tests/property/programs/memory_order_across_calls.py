"""The order in memory of what a function gives decides what another one does."""

import numpy as np


def clear(a):
    flat = a.ravel()
    flat[::2] = 0.0
    return float(a.sum())


def turned(n):
    x = np.linspace(0.0, 1.0, n * n).reshape(n, n)
    y = np.exp(x).T
    for _ in range(50):
        y = np.sin(y) + np.cos(y) * 0.5
    return y


def wave(x):
    for _ in range(50):
        x = np.sin(x) + np.cos(x) * 0.5
    return x.T


def through(a):
    return clear(a)


def main():
    print(clear(turned(200)))
    z = turned(20) + 1.0
    print(clear(z), z.sum())
    w = wave(np.ones((30, 40)) * 2.0)
    v = w + 1.0
    print(through(v), v.sum())
    u = wave(np.ones((30, 40)) * 2.0)
    print(u.sum())
    flat = u.ravel()
    flat[::3] = 0.0
    print(u.sum())


main()
