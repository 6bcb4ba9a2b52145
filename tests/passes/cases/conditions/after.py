import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("a", "b", require="b")
def solve(a: np.ndarray, b: np.ndarray, tol: float = 1e-6):
    x = cp.zeros(b.shape)
    for _ in range(100):
        r = b - a @ x
        if cp.linalg.norm(r) < tol:
            break
        x = x + 0.1 * r
    else:
        x = cp.full(b.shape, np.nan)
    assert cp.isfinite(x).all()
    return x
