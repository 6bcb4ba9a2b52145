import numpy as np


def call(x: np.ndarray, args):
    return np.clip(np.sin(x), *args)
