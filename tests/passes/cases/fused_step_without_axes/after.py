"""Conjugate gradients: the step is a number of the device, what it scales are arrays."""
import cupy as cp
import numpy as np
from gpuport.runtime import device, kernel


@kernel(
    "T rs, T p_ap, T p, T ap",
    "T x, T r",
    """
    const T alpha = rs / p_ap;
    x += alpha * p;
    r -= alpha * ap;
    """,
)
def _solve_x(rs, p_ap, p, ap, x, r):
    alpha = rs / p_ap
    x += alpha * p
    r -= alpha * ap
    return x, r


@kernel("T r, T new_, T rs, T p", "T p_new", "p_new = r + new_ / rs * p;")
def _solve_p(r, new_, rs, p):
    return r + (new_ / rs) * p


@device("a", "b", require="b")
def solve(a: np.ndarray, b: np.ndarray, steps=10):
    x = cp.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps):
        ap = a @ p
        x, r = _solve_x(rs, p @ ap, p, ap, x, r)
        new = r @ r
        p = _solve_p(r, new, rs, p)
        rs = new
    return x


if __name__ == "__main__":
    print(cp.asnumpy(cp.round(solve(cp.eye(300) * 2 + 0.001, cp.linspace(0.0, 1.0, 300))[:4], 8)))
