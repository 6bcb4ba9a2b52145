"""NumPy does not write to its numbers: what raised goes on raising, whoever catches it."""

import numpy as np


def raised(a):
    y = np.max(np.sin(a) + np.cos(a))
    y[...] += 2
    return y * a


def given_out(a):
    y = np.negative(np.argmax(np.sin(a)))
    np.add(y, y, out=y)
    return y * a


def last(a):
    x = np.sin(a) + np.cos(a)
    y = x[-1]
    y[...] = 0.0
    return x


def written(a):
    y = np.sin(a) + np.cos(a)
    y[...] += np.max(y)
    np.add(y, y, out=y)
    return y


a = np.linspace(0.0, 1.0, 5)
for name in ("raised", "given_out", "last", "written"):
    try:
        print(name, globals()[name](a).round(6))
    except TypeError:
        print(name, "TypeError")
