import numpy as np


def kernel(x, y):
    return np.exp(-((x - y) ** 2))


def gram(points: np.ndarray):
    return kernel(points[:, None], points[None, :])


def trace(points: np.ndarray):
    k = gram(points)
    return np.trace(k @ k)
