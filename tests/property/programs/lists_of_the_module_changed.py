"""Lists of the module and of classes that are changed."""

import numpy as np

SIZES = [3, 200]
WEIGHTS = [1, 2, 3]
OPTS = {"shape": [600]}
SIZES.append(2)
WEIGHTS[1] = 0.5


class Conf:
    dims = [4]
    scale = [1, 2]

    def __init__(self):
        self.pad = [1]
        self.pad += [2]

    def grow(self):
        self.dims.append(5)
        self.scale[0] = 0.25


def build():
    y = np.zeros(SIZES)
    y[0] += 1
    w = y[1]
    y[1] = 2
    return y.sum(), w.sum(), y.ndim


def weigh(x):
    a = np.array(WEIGHTS)
    a[0] = 0.125
    return (a * x[:3]).sum(), a.dtype


def opt(x):
    OPTS["shape"] += [2]
    y = np.ones(OPTS["shape"])
    r = y[0]
    r += 1
    return y.sum(), y.ndim


def conf(x):
    c = Conf()
    c.grow()
    y = np.ones(c.dims)
    y[0] += x[: y.shape[1]]
    s = np.array(c.scale)
    s[1] = 0.75
    return y.sum(), s, np.zeros(c.pad).shape


def main():
    x = np.sin(np.arange(3000.0))
    print(build())
    r = weigh(x)
    print(f"{r[0]:.6f}", r[1])
    print(opt(x))
    print(opt(x))
    r = conf(x)
    print(f"{r[0]:.6f}", r[1:])


main()
