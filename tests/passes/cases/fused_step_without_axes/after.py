"""Conjugate gradients: the step is a number of the device, what it scales are arrays."""
import cupy as cp
import numpy as np
from gpuport.runtime import device, launchable


_solve = cp.ElementwiseKernel(
    "float64 alpha, float64 p, float64 ap",
    "float64 x, float64 r",
    """
    x += alpha * p;
    r -= alpha * ap;
    """,
    "solve",
    options=("--fmad=false",),
)


_solve_p = cp.ElementwiseKernel(
    "float64 r, float64 new_, float64 rs, float64 p_in",
    "float64 p",
    """
    p = r + new_ / rs * p_in;
    """,
    "solve_p",
    options=("--fmad=false",),
)


@device("a", "b", require="b")
def solve(a: np.ndarray, b: np.ndarray, steps=10):
    x = cp.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps):
        ap = a @ p
        alpha = rs / (p @ ap)
        if (
            launchable(float64=(alpha, p, ap, x, r), writes=(x, r))
            and x.shape == r.shape
            and {alpha.shape, p.shape, ap.shape} <= {(), x.shape}
        ):
            _solve(alpha, p, ap, x, r)
        else:
            x += alpha * p
            r -= alpha * ap
        new = r @ r
        if launchable(float64=(r, new, rs, p)):
            p = _solve_p(r, new, rs, p)
        else:
            p = r + (new / rs) * p
        rs = new
    return x


if __name__ == "__main__":
    print(cp.asnumpy(cp.round(solve(cp.eye(300) * 2 + 0.001, cp.linspace(0.0, 1.0, 300))[:4], 8)))
