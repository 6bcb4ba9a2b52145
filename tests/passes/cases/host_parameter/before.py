import numpy as np


def weigh(x: np.ndarray, labels: np.ndarray):
    names = labels.tolist()
    return np.sin(x) @ np.cos(x), names
