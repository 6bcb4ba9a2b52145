import cupy as cp
from gpuport.runtime import device


@device("x")
def spectrum(x):
    return cp.fft.fft(cp.sqrt(x))
