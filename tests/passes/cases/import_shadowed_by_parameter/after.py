import cupy as cp
import numpy as np
from gpuport.runtime import device


def f(np, x):
    return np.sin(x)


@device("x")
def g(x):
    return cp.sin(x)
