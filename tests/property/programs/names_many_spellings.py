import sys

import numpy
import numpy as np
import numpy as N
from numpy import exp, sqrt as root
from numpy import linalg as la
import numpy.linalg
import numpy.fft as fft

f = np.sin
norm = np.linalg.norm


def g(a):
    from numpy import cos
    import numpy as xp

    return cos(a) + xp.tan(a) + f(a) + exp(a) + root(a) + N.sinh(a) + numpy.cosh(a)


def h(a):
    return norm(a) + la.norm(a) + numpy.linalg.norm(a) + np.abs(fft.fft(a)).sum()


OPS = {"sin": np.sin, "cos": numpy.cos}


def k(a, name):
    return OPS[name](a) + getattr(np, name)(a)


def t(a, xp=np):
    return xp.sqrt(a) * 2


np.savez(sys.argv[1], g(np.ones(3)), h(np.ones(3)), k(np.ones(2), "sin"), t(np.ones(2)))
