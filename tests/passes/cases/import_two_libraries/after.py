try:
    import cupy as xp
except ImportError:
    import numpy as xp

import cupy as cp
from gpuport.runtime import device


def f(x):
    return xp.sin(x)


@device("x")
def g(x):
    return cp.sin(x)
