import cupy as cp
from gpuport.runtime import device


@device("x", from_size=100_000)
def wave(x):
    return cp.sin(cp.cos(cp.tan(cp.sqrt(cp.abs(x)))))
