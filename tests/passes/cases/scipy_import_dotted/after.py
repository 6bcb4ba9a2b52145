import cupy as cp
import cupyx.scipy.fft
import numpy as np
import scipy.fft
import scipy.optimize
from gpuport.runtime import device


@device("x")
def power(x: np.ndarray):
    return cp.abs(cupyx.scipy.fft.rfft(x)) ** 2


def parallel(x: np.ndarray):
    return scipy.fft.fft(x, workers=2)
