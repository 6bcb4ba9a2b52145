import numpy as np
import numpy.fft


def spectrum(x):
    return numpy.fft.fft(np.sqrt(x))
