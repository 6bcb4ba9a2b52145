import cupy as cp
from gpuport.runtime import device


@device("x", from_size=30_000)
def spectrum(x):
    return cp.fft.fft(cp.sqrt(x))
