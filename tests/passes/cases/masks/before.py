import numpy as np


def clean(x: np.ndarray, limit: float):
    y = np.abs(x)
    y[y > limit] = limit
    return np.where(np.isnan(y), 0.0, y)
