import numpy as np


def grid(n: int):
    x, y = np.meshgrid(np.linspace(0, 1, n), np.arange(n))
    field = np.exp(-(x**2) - y**2)
    return np.linalg.inv(field + np.eye(n))
