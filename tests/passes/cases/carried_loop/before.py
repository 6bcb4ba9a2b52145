import numpy as np


def smooth(x: np.ndarray, a: float):
    out = np.zeros(len(x))
    for i in range(1, len(x)):
        out[i] = a * out[i - 1] + x[i]
    return out
