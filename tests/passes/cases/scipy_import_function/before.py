import numpy as np
from scipy.special import erf, erfc, jv  # special functions
from scipy.signal import fftconvolve, detrend as straighten


def profile(x: np.ndarray, width):
    return erf(x / width) + erfc(x)


def filtered(x: np.ndarray, taps: np.ndarray):
    return fftconvolve(straighten(x), taps, mode="same")


def bessel(x: np.ndarray):
    return jv(2, x)
