import numpy as np


def scale(x):
    return np.sqrt(x) / np.linalg.norm(x)
