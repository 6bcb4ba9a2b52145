import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def clean(x: np.ndarray, limit: float):
    y = cp.abs(x)
    y[y > limit] = limit
    return cp.where(cp.isnan(y), 0.0, y)
