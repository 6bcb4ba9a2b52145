import numpy as np
import scipy.fft
import scipy.optimize


def power(x: np.ndarray):
    return np.abs(scipy.fft.rfft(x)) ** 2


def parallel(x: np.ndarray):
    return scipy.fft.fft(x, workers=2)
