import numpy as np


def wrap(x: np.ndarray, period: float):
    y = np.sin(x)
    return y // period


def phase(x: np.ndarray, period: float):
    return np.exp(x) % period
