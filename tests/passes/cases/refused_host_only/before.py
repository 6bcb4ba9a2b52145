import numpy as np


def show(x: np.ndarray):
    y = np.sin(x) * 2
    return np.array2string(y, precision=3)
