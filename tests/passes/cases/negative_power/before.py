import numpy as np


def inverse(n: int):
    k = np.arange(1, n)
    return k ** -1


def inverse_float(x: np.ndarray):
    return np.exp(x) ** -1.0
