import cupy as cp
import numpy as np
from gpuport.runtime import device


def f(np, x):
    return np.sin(x)


@device("x", from_size=1_000_000)
def g(x):
    return cp.sin(x)
