import cupy as cp
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x): y = cp.sin(x); return y + cp.cos(x)
