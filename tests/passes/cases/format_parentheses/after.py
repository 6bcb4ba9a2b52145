import cupy as cp
from gpuport.runtime import device


@device("x")
def wave(x):
    y = (((cp.sin(x))))
    total = (cp.sum)(y)
    return (cp
            .cumsum(y)) + (total)
