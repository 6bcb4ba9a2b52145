import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("spectrum", from_size=100_000)
def phases(spectrum):
    size = cp.abs(spectrum)
    made = cp.empty_like(spectrum)
    made.real = spectrum.real / size
    made.imag = spectrum.imag / size
    made.imag *= -1
    return made


def reshaped(x):
    y = np.sin(x)
    y.shape = (-1, 2)
    return y
