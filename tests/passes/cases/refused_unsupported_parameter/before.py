import numpy as np


def middle(x: np.ndarray):
    y = np.exp(x)
    return np.sum(y, where=y > 1.0), np.sqrt(x)
