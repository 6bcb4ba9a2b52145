import numpy as np

GRID = [1.0, 2.0, 3.0]


def waves(x):
    return np.sin(GRID) * x + np.cos(GRID)


def reset(size):
    global GRID
    GRID = np.linspace(0.0, 1.0, size) * 2 + np.ones(size)
    for _ in range(10):
        GRID = GRID + 0.1 * np.sin(GRID) * np.cos(GRID)
