import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def total(x: np.ndarray):
    s = cp.sum(x)
    before = s
    s = s + cp.sum(cp.sin(x))
    s = s * 2
    return before, s
