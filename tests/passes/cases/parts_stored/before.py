import numpy as np


def phases(spectrum):
    size = np.abs(spectrum)
    made = np.empty_like(spectrum)
    made.real = spectrum.real / size
    made.imag = spectrum.imag / size
    made.imag *= -1
    return made


def reshaped(x):
    y = np.sin(x)
    y.shape = (-1, 2)
    return y
