import numpy as np
from scipy import special


def log_choose(n: np.ndarray, k: np.ndarray):
    return special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)


def bessel(x: np.ndarray):
    return np.exp(-x) * special.jv(3, x)
