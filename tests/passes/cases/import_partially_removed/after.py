import cupy as cp
from gpuport.runtime import device
from numpy import ndarray


@device("x")
def wave(x: ndarray):
    return cp.sin(x) + cp.cos(x)
