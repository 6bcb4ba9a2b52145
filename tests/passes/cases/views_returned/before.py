import numpy as np


def inner(x: np.ndarray):
    y = x[1:-1]
    y += np.sin(y)
    return y
