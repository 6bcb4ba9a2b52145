import numpy as np


def probed(n: int):
    x = np.sin(np.linspace(0.0, 3.0, n)) + 2
    picks = [3, 5, 7]
    rows = np.zeros((20, 3))
    for k in range(20):
        x = np.sqrt(x) * np.exp(-x) + np.cos(x)
        rows[k] = x[picks]
        x[[0, -1]] = 1.0
    return rows, x[[1, 2]]
