"""Drag on spheres over many flow regimes."""

import sys

import numpy as np


def drag_coefficient(re):
    """Piecewise drag correlation, one Reynolds number per particle."""
    n = len(re)
    cd = np.empty(n)
    for i in range(n):
        r = re[i]
        if r <= 0.0:
            cd[i] = 0.0
        elif r < 0.1:
            cd[i] = 24.0 / r
        elif r < 1000.0:
            corr = 1.0 + 0.15 * r**0.687
            if r > 500.0:
                corr = corr * 0.98
            elif not r > 1.0:
                corr += 0.01
            cd[i] = 24.0 / r * corr
        else:
            cd[i] = 0.44
    return cd


def terminal_speed(d, density=2650.0, viscosity=1.0e-3):
    """Settling speed by a fixed number of damped corrections."""
    out = np.zeros(d.shape[0])
    for i in range(d.shape[0]):
        stokes = 9.81 * (density - 1000.0) * d[i] * d[i] / (18.0 * viscosity)
        v = stokes
        for _ in range(6):
            re = 1000.0 * v * d[i] / viscosity
            factor = 1.0 + 0.15 * re**0.687 if re > 0.1 else 1.0
            v = 0.5 * (v + stokes / factor)
        out[i] = v
    return out


def main(path):
    rng = np.random.default_rng(1)
    re = 10.0 ** rng.uniform(-3, 4, size=8000)
    re[::101] = 0.0
    d = rng.uniform(1e-5, 4e-4, size=2000)
    np.savez(path, cd=drag_coefficient(re), v=terminal_speed(d))


if __name__ == "__main__":
    main(sys.argv[1])
