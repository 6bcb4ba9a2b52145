import numpy as np


def histogram(values: np.ndarray, indices: np.ndarray, n: int):
    counts = np.zeros(n)
    counts[indices] += np.sqrt(values)
    return counts


def scatter(values: np.ndarray, indices: np.ndarray, n: int):
    out = np.zeros(n)
    out[indices] = np.sqrt(values)
    return out
