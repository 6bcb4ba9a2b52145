import numpy as np


def wave(x: np.ndarray, period=np.pi, grid=np.zeros(3)):
    return np.sin(x / period)
