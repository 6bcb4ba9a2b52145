"""Drag on spheres: a thread a particle."""

import sys

import cupy as cp
import numpy as np

_DRAG = cp.ElementwiseKernel(
    "float64 r",
    "float64 cd",
    """
    if (r <= 0.0) { cd = 0.0; }
    else if (r < 0.1) { cd = 24.0 / r; }
    else if (r < 1000.0) {
        double corr = 1.0 + 0.15 * pow(r, 0.687);
        if (r > 500.0) { corr = corr * 0.98; }
        else if (!(r > 1.0)) { corr += 0.01; }
        cd = 24.0 / r * corr;
    } else { cd = 0.44; }
    """,
    "drag",
)
_SPEED = cp.ElementwiseKernel(
    "float64 d, float64 density, float64 viscosity",
    "float64 v",
    """
    const double stokes = 9.81 * (density - 1000.0) * d * d / (18.0 * viscosity);
    v = stokes;
    for (int k = 0; k < 6; ++k) {
        const double re = 1000.0 * v * d / viscosity;
        const double factor = re > 0.1 ? 1.0 + 0.15 * pow(re, 0.687) : 1.0;
        v = 0.5 * (v + stokes / factor);
    }
    """,
    "speed",
)


def main(path):
    rng = np.random.default_rng(1)
    re = 10.0 ** rng.uniform(-3, 4, size=8000)
    re[::101] = 0.0
    d = rng.uniform(1e-5, 4e-4, size=2000)
    cd = _DRAG(cp.asarray(re))
    v = _SPEED(cp.asarray(d), 2650.0, 1.0e-3)
    np.savez(path, cd=cp.asnumpy(cd), v=cp.asnumpy(v))


if __name__ == "__main__":
    main(sys.argv[1])
