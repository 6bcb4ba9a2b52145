import numpy as np


def shift(x: np.ndarray):
    y = np.outer(x, np.cos(x))
    first = y[0, 0]
    y -= 1.0
    return first, y
