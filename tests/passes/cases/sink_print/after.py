import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=40_000)
def show(x: np.ndarray):
    y = cp.sin(x) + cp.cos(x)
    print(cp.asnumpy(y))
    print("total", cp.asnumpy(cp.sum(y)), y.shape)
    print(f"{y.max():.3f} at most")
