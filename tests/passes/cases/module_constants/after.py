import cupy as cp
import numpy as np
from gpuport.runtime import device, interp

WINDOW = np.hanning(512)
SCALE = np.float64(2.0)
GRID = np.linspace(0.0, 1.0, 100)


@device("x")
def smooth(x: np.ndarray):
    return cp.convolve(cp.sin(x) * SCALE, cp.asarray(WINDOW))


@device("x")
def warp(x: np.ndarray):
    grid = cp.asarray(GRID)
    return interp(cp.sin(x), grid, cp.sqrt(grid))
