import cupy as cp
import numpy as np
from gpuport.runtime import kernel


@kernel(
    "raw float64 u, float64 dt, float64 limit",
    "raw float64 flux",
    """
    double slope = u[i + 1] - u[i - 1];
    if (slope > limit) { slope = limit; }
    flux[i] = dt * slope;
    """,
    over="i in range(1, len(u) - 1)",
)
def _relax(u, dt, limit, flux):
    for i in range(1, len(u) - 1):
        slope = u[i + 1] - u[i - 1]
        if slope > limit:
            slope = limit
        flux[i] = dt * slope


class Plate:
    def __init__(self, n, limit):
        self.u = cp.linspace(0.0, 1.0, n)
        self.flux = cp.zeros(n)
        self.limit = limit

    def relax(self, dt):
        _relax(self.u, dt, self.limit, self.flux)
        self.u += self.flux


def main():
    plate = Plate(1000, 0.1)
    for _ in range(10):
        plate.relax(0.01)
    np.save("plate.npy", cp.asnumpy(plate.u))


main()
