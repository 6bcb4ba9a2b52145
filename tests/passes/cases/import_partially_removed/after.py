import cupy as cp
from gpuport.runtime import device
from numpy import ndarray


@device("x", from_size=1_000_000)
def wave(x: ndarray):
    return cp.sin(x) + cp.cos(x)
