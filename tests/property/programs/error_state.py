import sys

import numpy as np

def f(a):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(a != 0, np.sin(a) / a, 1.0)


def g(a):
    old = np.seterr(all="ignore")
    r = np.log(a)
    np.seterr(**old)
    return r


def h(a):
    with np.errstate(divide="raise"):
        try:
            return 1.0 / a
        except FloatingPointError:
            return a * 0.0


def p(a):
    with np.printoptions(precision=2):
        print(np.sqrt(a))
    return np.sqrt(a)


z = np.array([0.0, 1.0, 2.0])
np.savez(sys.argv[1], f(z), g(z), h(z), p(z))
