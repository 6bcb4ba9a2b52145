import sys

import numpy as np

import math


def f(a, x):
    return np.sqrt(a) * math.sin(x) + math.exp(-x) * math.pi


def g(a):
    s = np.sqrt(a).sum()
    return math.log(s) + math.hypot(s, 1.0), math.isnan(s), math.isclose(s, 3.0), math.ceil(s)


np.savez(sys.argv[1], f(np.arange(3.0), 0.5), f(np.arange(3.0), np.float64(0.5)), *g(np.arange(1.0, 4)))
