import math

import cupy as cp
import numpy as np
from gpuport.runtime import device


def rate(v):
    print(v)
    return 2 * v


def looked_up(x):
    f = np.vectorize(rate, otypes=[float])
    return f(x)


@device("x")
def exact(x: np.ndarray):
    scaled = cp.asnumpy(cp.exp(x) * cp.sin(x))
    return np.frompyfunc(math.erf, 1, 1)(scaled).astype(float)
