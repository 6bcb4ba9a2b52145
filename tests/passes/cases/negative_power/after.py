import cupy as cp
import numpy as np
from gpuport.runtime import device


def inverse(n: int):
    k = np.arange(1, n)
    return k ** -1


@device("x", from_size=1_000_000)
def inverse_float(x: np.ndarray):
    return cp.exp(x) ** -1.0
