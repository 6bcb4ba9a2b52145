import numpy as np


def norm(x: np.ndarray, weights: np.ndarray | None = None):
    if weights is None:
        weights = np.ones(x.shape)
    return np.sum(np.sqrt(x) * weights)
