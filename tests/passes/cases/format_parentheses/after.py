import cupy as cp
from gpuport.runtime import device


@device("x", from_size=700_000)
def wave(x):
    y = (((cp.sin(x))))
    total = (cp.sum)(y)
    return (cp
            .cumsum(y)) + (total)
