import numpy as np
from scipy import special, stats


def scores(x: np.ndarray, n: np.ndarray):
    z = np.exp(x) / (1.0 + np.exp(x))
    order = special.eval_legendre(3, z)
    tail = stats.norm.sf(z)
    return np.sqrt(order ** 2 + tail), stats.zscore(z)
