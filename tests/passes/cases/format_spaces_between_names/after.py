import cupy as cp
from gpuport.runtime import device


@device("x")
def wave(x):
    return cp . sin (x) + cp. linalg .norm( x )
