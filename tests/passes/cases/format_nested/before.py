import numpy as np


def wave(x):
    return np.sin(np.cos(np.tan(np.sqrt(np.abs(x)))))
