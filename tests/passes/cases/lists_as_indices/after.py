import cupy as cp
import numpy as np
from gpuport.runtime import kernel


@kernel("T x", "T x_new", "x_new = sqrt(x) * exp(-x) + cos(x);")
def _probed_x(x):
    return np.sqrt(x) * np.exp(-x) + np.cos(x)


def probed(n: int):
    x = cp.sin(cp.linspace(0.0, 3.0, n)) + 2
    picks = [3, 5, 7]
    rows = cp.zeros((20, 3))
    for k in range(20):
        x = _probed_x(x)
        rows[k] = x[picks]
        x[[0, -1]] = 1.0
    return cp.asnumpy(rows), cp.asnumpy(x[[1, 2]])
