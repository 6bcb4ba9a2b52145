import cupy as cp
import numpy as np
from gpuport.runtime import device


def inverse(n: int):
    k = np.arange(1, n)
    return k ** -1


@device("x")
def inverse_float(x: np.ndarray):
    return cp.exp(x) ** -1.0
