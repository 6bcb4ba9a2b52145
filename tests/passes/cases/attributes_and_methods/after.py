import numpy as np
from gpuport.runtime import device


@device("x")
def describe(x: np.ndarray):
    y = (x - x.mean(axis=0)).T
    z = y.reshape(-1).astype(np.float32)
    return z.sum(), y.shape[0], z.dtype, x.ndim, z.argmax()
