import numpy as np


def prepare(x: np.ndarray):
    n, m = x.shape
    y = np.zeros((n, m), dtype=np.float32)
    z = np.asarray(x, dtype=np.float64).reshape(-1)
    return y, np.sqrt(z), np.pi * np.sin(x), x.dtype == np.float64
