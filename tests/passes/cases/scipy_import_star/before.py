import numpy as np
from scipy.special import *


def density(x: np.ndarray):
    return np.exp(gammaln(x))
