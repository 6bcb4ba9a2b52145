import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def integral(x: np.ndarray):
    y = cp.asnumpy(cp.sqrt(x))
    return np.trapezium(y), cp.cos(x)
