try:
    import cupy as xp
except ImportError:
    import numpy as xp

import cupy as cp
from gpuport.runtime import device


def f(x):
    return xp.sin(x)


@device("x", from_size=1_000_000)
def g(x):
    return cp.sin(x)
