import numpy as np

WINDOW = np.hanning(512)
SCALE = np.float64(2.0)
GRID = np.linspace(0.0, 1.0, 100)


def smooth(x: np.ndarray):
    return np.convolve(np.sin(x) * SCALE, WINDOW)


def warp(x: np.ndarray):
    return np.interp(np.sin(x), GRID, np.sqrt(GRID))
