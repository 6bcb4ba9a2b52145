import cupy as cp
from gpuport.runtime import kernel


@kernel(
    "float64 rho, float64 w, float64 u, int64 scaled_x, int64 x",
    "float64 terms",
    """
    terms = rho * w * (1 + scaled_x * u + 4.5 * square(x * u) - 1.5 * (u * u));
    """,
)
def _lattice(rho, w, u, scaled_x, x):
    return rho * w * (1 + scaled_x * u + 4.5 * (x * u) ** 2 - 1.5 * u**2)


@kernel("T equal", "T f", "f -= (f - equal) / 0.6;")
def _lattice_f(equal, f):
    f -= (f - equal) / 0.6
    return f


def lattice(height: int, width: int, steps: int):
    dx = cp.array([0, 1, -1])
    weights = cp.array([0.5, 0.25, 0.25])
    f = cp.ones((height, width, 3))
    f[:, 1, 1] = 2.0
    dx_on_host = cp.asnumpy(dx)
    for _ in range(steps):
        for i, x in zip(range(3), dx_on_host):
            f[:, :, i] = cp.roll(f[:, :, i], x, axis=1)
        rho = cp.sum(f, 2)
        u = cp.sum(f * dx, 2) / rho
        equal = cp.zeros(f.shape)
        for i, x, w in zip(range(3), dx_on_host, weights):
            equal[:, :, i] = _lattice(rho, w, u, 3 * x, x)
        f = _lattice_f(equal, f)
    return cp.asnumpy(f)
