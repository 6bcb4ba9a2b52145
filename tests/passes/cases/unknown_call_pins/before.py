import numpy as np
from mystery import register


def wave(x: np.ndarray):
    y = np.sin(x)
    register(y)
    return y * 2


def passed(x: np.ndarray):
    return register(np.sin(x) + np.cos(x))
