import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=200_000)
def clean(x: np.ndarray, limit: float):
    y = cp.abs(x)
    y[y > limit] = limit
    return cp.where(cp.isnan(y), 0.0, y)
