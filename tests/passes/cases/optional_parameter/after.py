import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", "weights", require=("x", "weights"))
def norm(x: np.ndarray, weights: np.ndarray | None = None):
    if weights is None:
        weights = cp.ones(x.shape)
    return cp.sum(cp.sqrt(x) * weights)
