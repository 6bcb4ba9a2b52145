import numpy as np


def ratio(a: np.ndarray, b: np.ndarray):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sqrt(a) / np.sqrt(b)


def strict(a: np.ndarray, b: np.ndarray):
    with np.errstate(divide="raise"):
        return np.sqrt(a) / np.sqrt(b)
