import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def fit(x: np.ndarray, optimise):
    scaled = cp.asnumpy(cp.linalg.inv(x))
    return optimise(lambda p: p @ scaled, 0.0)
