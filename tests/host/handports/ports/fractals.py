"""Mandelbrot and Julia sets: a thread a point, as long as it takes."""

import sys

import cupy as cp
import numpy as np

_ESCAPE = cp.ElementwiseKernel(
    "float64 x, float64 y, int32 limit",
    "int32 count, float64 smooth",
    """
    const complex<double> c(x, y);
    complex<double> z(0.0, 0.0);
    int k = 0;
    while (abs(z) <= 2.0 && k < limit) { z = z * z + c; k += 1; }
    count = k;
    smooth = limit;
    if (k < limit) { smooth = k + 1 - log(log(abs(z) + 1.0) / log(2.0)) / log(2.0); }
    """,
    "escape",
)
_JULIA = cp.ElementwiseKernel(
    "float64 x0, float64 y0, float64 cr, float64 ci, int64 limit",
    "int64 steps",
    """
    double x = x0, y = y0;
    steps = limit;
    for (long long k = 0; k < limit; ++k) {
        if (x * x + y * y > 4.0) { steps = k; break; }
        const double next = x * x - y * y + cr;
        y = 2.0 * x * y + ci;
        x = next;
    }
    """,
    "julia",
)


def main(path):
    xs = cp.linspace(-2.1, 0.7, 72)
    ys = cp.linspace(-1.2, 1.2, 60)
    count, smooth = _ESCAPE(xs[None, :], ys[:, None], 50)
    rng = np.random.default_rng(9)
    grid = cp.asarray(rng.uniform(-1.5, 1.5, size=(1500, 2)))
    area = (count == 50).mean() * 2.8 * 2.4
    julia = _JULIA(grid[:, 0], grid[:, 1], -0.8, 0.156, 60)
    np.savez(
        path, count=cp.asnumpy(count), smooth=cp.asnumpy(smooth), julia=cp.asnumpy(julia),
        area=cp.asnumpy(area)[()],
    )  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1])
