"""Lennard-Jones cluster without neighbour lists."""

import sys

import numpy as np


def energy(pos, cutoff):
    """Total potential energy, each pair once."""
    n = pos.shape[0]
    total = 0.0
    for i in range(n - 1):
        for j in range(i + 1, n):
            r2 = 0.0
            for k in range(3):
                r2 += (pos[i, k] - pos[j, k]) ** 2
            if r2 < cutoff * cutoff:
                s6 = 1.0 / (r2 * r2 * r2)
                total += 4.0 * (s6 * s6 - s6)
    return total


def forces(pos, cutoff):
    """Force on every particle."""
    n = len(pos)
    f = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            dx = pos[i, 0] - pos[j, 0]
            dy = pos[i, 1] - pos[j, 1]
            dz = pos[i, 2] - pos[j, 2]
            r2 = dx * dx + dy * dy + dz * dz
            if r2 >= cutoff * cutoff:
                continue
            s6 = 1.0 / (r2 * r2 * r2)
            g = 24.0 * (2.0 * s6 * s6 - s6) / r2
            f[i, 0] += g * dx
            f[i, 1] += g * dy
            f[i, 2] += g * dz
    return f


def radial_counts(pos, width, bins):
    """Neighbour counts per particle and distance shell."""
    n = len(pos)
    counts = np.zeros((n, bins), dtype=np.int64)
    for i in range(n):
        for j in range(n):
            d = np.sqrt(
                (pos[i, 0] - pos[j, 0]) ** 2
                + (pos[i, 1] - pos[j, 1]) ** 2
                + (pos[i, 2] - pos[j, 2]) ** 2
            )
            shell = int(d / width)
            if i != j and shell < bins:
                counts[i, shell] += 1
    return counts


def main(path):
    rng = np.random.default_rng(100)
    lattice = np.array(
        [[i, j, k] for i in range(5) for j in range(4) for k in range(4)], dtype=float
    )
    pos = 1.1 * lattice + 0.08 * rng.normal(size=lattice.shape)
    np.savez(
        path, energy=energy(pos, 2.5), forces=forces(pos, 2.5), counts=radial_counts(pos, 0.45, 8)
    )


if __name__ == "__main__":
    main(sys.argv[1])
