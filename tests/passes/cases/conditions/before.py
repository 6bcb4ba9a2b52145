import numpy as np


def solve(a: np.ndarray, b: np.ndarray, tol: float = 1e-6):
    x = np.zeros(b.shape)
    for _ in range(100):
        r = b - a @ x
        if np.linalg.norm(r) < tol:
            break
        x = x + 0.1 * r
    else:
        x = np.full(b.shape, np.nan)
    assert np.isfinite(x).all()
    return x
