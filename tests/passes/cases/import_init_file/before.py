import numpy as np


def wave(x):
    return np.sin(x)
