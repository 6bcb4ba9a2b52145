import cupy as cp
import numpy as np
from gpuport.runtime import device
from mystery import register


def wave(x: np.ndarray):
    y = np.sin(x)
    register(y)
    return y * 2


@device("x")
def passed(x: np.ndarray):
    return register(cp.asnumpy(cp.sin(x) + cp.cos(x)))
