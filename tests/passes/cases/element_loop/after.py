import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "raw T x", "raw float64 out", "out[i] = sin(x[i]) * 2;", over="i in range(len(x))"
)
def _slow(x, out):
    for i in range(len(x)):
        out[i] = np.sin(x[i]) * 2


@device("x")
def slow(x: np.ndarray):
    out = cp.zeros(len(x))
    _slow(x, out)
    return out
