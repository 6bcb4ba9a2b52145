"""Oil film of a journal bearing: Reynolds equation with cavitation and load balance."""

import argparse
import logging
import sys

import numpy as np
from scipy.optimize import brentq

log = logging.getLogger("bearing")

VISCOSITY = 0.03  # Pa s
RADIUS = 0.05  # m
WIDTH = 0.06  # m
CLEARANCE = 60e-6  # m
SPEED = 150.0  # rad/s


class NoConvergence(RuntimeError):
    pass


def film_thickness(theta, axial, ecc, tilt=0.0):
    """Film thickness in units of the clearance, (n_theta, n_axial)."""
    local = ecc + tilt * axial
    return 1.0 + np.cos(theta)[:, None] * local[None, :]


def coefficients(h, dtheta, dz, aspect):
    """Five-point coefficients of the dimensionless Reynolds equation."""
    h3 = h**3
    east = 0.5 * (h3 + np.roll(h3, -1, axis=0)) / dtheta**2
    west = np.roll(east, 1, axis=0)
    north = np.zeros_like(h)
    south = np.zeros_like(h)
    north[:, :-1] = 0.5 * (h3[:, :-1] + h3[:, 1:]) / dz**2 * aspect**2
    south[:, 1:] = north[:, :-1]
    rhs = 6.0 * (np.roll(h, -1, axis=0) - np.roll(h, 1, axis=0)) / (2.0 * dtheta)
    return east, west, north, south, rhs


def neighbours(p, coef):
    east, west, north, south, _ = coef
    out = east * np.roll(p, -1, axis=0) + west * np.roll(p, 1, axis=0)
    out[:, :-1] += north[:, :-1] * p[:, 1:]
    out[:, 1:] += south[:, 1:] * p[:, :-1]
    return out


def solve_film(h, dtheta, dz, p=None, omega=1.8, tol=1e-5, max_sweeps=400):
    """Red-black SOR with p >= 0 (Guembel/Christopherson cavitation)."""
    n_theta, n_axial = h.shape
    aspect = 2.0 * RADIUS / WIDTH
    coef = coefficients(h, dtheta, dz, aspect)
    diagonal = coef[0] + coef[1] + coef[2] + coef[3]
    rhs = coef[4]
    if p is None:
        p = np.zeros_like(h)
    ii, jj = np.indices(h.shape)
    interior = (jj > 0) & (jj < n_axial - 1)
    colours = [interior & ((ii + jj) % 2 == c) for c in (0, 1)]
    for sweep in range(1, max_sweeps + 1):
        change = 0.0
        for colour in colours:
            target = (neighbours(p, coef) - rhs) / diagonal
            new = np.maximum(p + omega * (target - p), 0.0)
            delta = np.where(colour, new - p, 0.0)
            p = p + delta
            change = max(change, np.abs(delta).max())
        if change < tol * max(p.max(), 1e-12):
            return p, sweep
        if not np.isfinite(change):
            raise NoConvergence(f"diverged in sweep {sweep}")
    log.warning("no convergence in %d sweeps, change %.2e", max_sweeps, change)
    return p, max_sweeps


def forces(p, theta, z):
    """Load components, attitude angle and Sommerfeld-like number."""
    across = np.trapezoid(p, z, axis=1)
    wx = -np.trapezoid(across * np.cos(theta), theta)
    wy = np.trapezoid(across * np.sin(theta), theta)
    load = np.hypot(wx, wy)
    return load, np.arctan2(wy, wx)


def friction(p, h, dtheta, dz):
    shear = h * np.gradient(p, dtheta, axis=0) / 2.0 + 1.0 / h
    cavity = p <= 0.0
    shear[cavity] = 1.0 / h[cavity] / 4.0
    return shear.sum() * dtheta * dz


def leakage(p, h, dz):
    ends = (p[:, 1] * h[:, 0] ** 3 + p[:, -2] * h[:, -1] ** 3) / dz
    return ends.mean() / 12.0


def main(argv=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output")
    parser.add_argument("--n-theta", type=int, default=240)
    parser.add_argument("--n-axial", type=int, default=61)
    args = parser.parse_args(argv)
    logging.basicConfig(stream=sys.stderr, level=logging.ERROR)

    theta = np.linspace(0.0, 2.0 * np.pi, args.n_theta, endpoint=False)
    z = np.linspace(-0.5, 0.5, args.n_axial)
    dtheta, dz = theta[1] - theta[0], z[1] - z[0]

    p = None
    rows = []
    for ecc in np.arange(0.2, 0.85, 0.2):
        h = film_thickness(theta, z, ecc, tilt=0.05)
        p, sweeps = solve_film(h, dtheta, dz, p)
        load, angle = forces(p, theta, z)
        rows.append((ecc, load, np.rad2deg(angle), friction(p, h, dtheta, dz), leakage(p, h, dz)))
        print(
            f"ecc {ecc:.1f}: load {load:9.4f}, attitude {np.rad2deg(angle):6.2f}, {sweeps} sweeps"
        )
    rows = np.array(rows)

    wanted = 0.5 * (rows[0, 1] + rows[-1, 1])
    ecc_star = brentq(lambda e: np.interp(e, rows[:, 0], rows[:, 1]) - wanted, 0.2, 0.8)
    scale = VISCOSITY * SPEED * (RADIUS / CLEARANCE) ** 2
    peak = p.max() * scale / 1e6
    row, col = np.unravel_index(p.argmax(), p.shape)
    wet = np.mean(p > 0.0)
    print(f"eccentricity for load {wanted:.3f}: {ecc_star:.4f}")
    print(f"peak pressure {peak:.3f} MPa at theta {theta[row]:.3f}, z {z[col]:.3f}, wet {wet:.3f}")
    np.savez(args.output, p=p, rows=rows, ecc_star=ecc_star)


if __name__ == "__main__":
    main()
