import sys

import numpy


def f(np):
    return numpy.sin(np) * 2


def g(a):
    np = 3.0
    return numpy.cos(a) * np


def h(cp, device):
    return np.sqrt(cp) + device


class np2:
    sin = staticmethod(lambda v: v)


def k(a):
    import numpy as np2

    return np2.exp(a)


import numpy as np

cp = 5
device = "gpu"
numpy.savez(sys.argv[1], f(np.arange(3.0)), g(np.ones(2)), h(np.ones(2), 1.0), k(np.zeros(2)), cp, np2.sin(3))
print(device)
