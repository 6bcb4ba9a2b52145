"""Lennard-Jones cluster: a thread a particle, and one reduction."""

import sys

import cupy as cp
import numpy as np

_ENERGY = cp.ElementwiseKernel(
    "raw float64 pos, float64 limit, int64 n",
    "float64 part",
    """
    part = 0.0;
    for (long long j = i + 1; j < n; ++j) {
        double r2 = 0.0;
        for (int k = 0; k < 3; ++k) {
            const double d = pos[3 * i + k] - pos[3 * j + k];
            r2 += d * d;
        }
        if (r2 < limit) {
            const double s6 = 1.0 / (r2 * r2 * r2);
            part += 4.0 * (s6 * s6 - s6);
        }
    }
    """,
    "energy",
)
_FORCES = cp.ElementwiseKernel(
    "raw float64 pos, float64 limit, int64 n",
    "float64 fx, float64 fy, float64 fz",
    """
    fx = fy = fz = 0.0;
    for (long long j = 0; j < n; ++j) {
        if (i == j) { continue; }
        const double dx = pos[3 * i] - pos[3 * j];
        const double dy = pos[3 * i + 1] - pos[3 * j + 1];
        const double dz = pos[3 * i + 2] - pos[3 * j + 2];
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= limit) { continue; }
        const double s6 = 1.0 / (r2 * r2 * r2);
        const double g = 24.0 * (2.0 * s6 * s6 - s6) / r2;
        fx += g * dx;
        fy += g * dy;
        fz += g * dz;
    }
    """,
    "forces",
)
_COUNTS = cp.ElementwiseKernel(
    "raw float64 pos, float64 width, int64 n, int64 bins",
    "raw int64 counts",
    """
    for (long long j = 0; j < n; ++j) {
        if (i == j) { continue; }
        const double dx = pos[3 * i] - pos[3 * j], dy = pos[3 * i + 1] - pos[3 * j + 1];
        const double dz = pos[3 * i + 2] - pos[3 * j + 2];
        const long long shell = (long long)(sqrt(dx * dx + dy * dy + dz * dz) / width);
        if (shell < bins) { counts[i * bins + shell] += 1; }
    }
    """,
    "counts",
)


def main(path):
    rng = np.random.default_rng(100)
    lattice = np.array(
        [[i, j, k] for i in range(5) for j in range(4) for k in range(4)], dtype=float
    )
    pos = cp.asarray(1.1 * lattice + 0.08 * rng.normal(size=lattice.shape))
    n = len(pos)
    energy = _ENERGY(pos, 2.5 * 2.5, n, cp.empty(n)).sum()
    forces = cp.empty((n, 3))
    _FORCES(pos, 2.5 * 2.5, n, forces[:, 0], forces[:, 1], forces[:, 2])
    counts = cp.zeros((n, 8), dtype=np.int64)
    _COUNTS(pos, 0.45, n, 8, counts, size=n)
    np.savez(
        path, energy=cp.asnumpy(energy)[()], forces=cp.asnumpy(forces), counts=cp.asnumpy(counts)
    )


if __name__ == "__main__":
    main(sys.argv[1])
