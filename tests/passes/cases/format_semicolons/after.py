import cupy as cp
from gpuport.runtime import device


@device("x")
def wave(x): y = cp.sin(x); return y + cp.cos(x)
