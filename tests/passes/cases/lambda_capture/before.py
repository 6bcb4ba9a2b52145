import numpy as np


def fit(x: np.ndarray, optimise):
    scaled = np.linalg.inv(x)
    return optimise(lambda p: p @ scaled, 0.0)
