import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def wave(x):
    y = cp.sin(x)
    np.save("y.npy", cp.asnumpy(y))
    return y


def host(path, x):
    np.save(path, x)
