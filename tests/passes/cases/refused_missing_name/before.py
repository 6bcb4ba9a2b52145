import numpy as np


def ordered(x: np.ndarray):
    y = np.sqrt(x)
    return np.spacing(y), np.cos(x)
