import jax.scipy as jsp
import numpy as np
from autograd.scipy import special
from scipy import signal


def density(x: np.ndarray):
    return np.exp(jsp.stats.norm.logpdf(np.sin(x))) + special.gammaln(x)


def shadowed(x: np.ndarray, signal):
    return signal.fftconvolve(x, x)
