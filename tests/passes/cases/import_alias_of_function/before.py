import numpy as np

norm = np.linalg.norm


def scale(x):
    return np.sqrt(x) / norm(x)
