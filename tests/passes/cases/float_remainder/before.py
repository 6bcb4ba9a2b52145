import numpy as np


def wrap(x: np.ndarray, period: float):
    y = np.sin(x)
    return (y // period).astype(int)


def phase(x: np.ndarray, period: float):
    return np.exp(x) % period


def kept(x: np.ndarray, i, period: float):
    y = np.exp(x)
    y[i] %= period
    return np.divmod(y, period)
