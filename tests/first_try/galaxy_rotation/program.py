"""Rotation curves of disc galaxies: from velocity fields by tilted rings, then disc + gas + halo mass models.

Radii in kpc, velocities in km/s, masses in solar masses; G in kpc (km/s)^2 / Msun.
"""
import sys
from dataclasses import dataclass
from typing import Callable, Dict

import numpy as np
from scipy.special import i0, i1, k0, k1

G = 4.30091e-6
NPIX = 80
PIXEL = 0.5            # kpc
NRING = 22


@dataclass(frozen=True)
class Galaxy:
    name: str
    mass_disc: float
    scale: float           # disc scale length
    mass_gas: float
    rho0: float
    rc: float
    incl: float            # degrees
    pa: float
    vsys: float


SAMPLE = [
    Galaxy("N2403a", 6.1e9, 2.1, 2.6e9, 9.0e6, 5.2, 61.0, 35.0, 131.0),
    Galaxy("N3198a", 2.6e10, 3.2, 8.0e9, 7.0e6, 7.5, 70.0, 112.0, 660.0),
    Galaxy("D154b", 4.0e8, 0.9, 4.5e8, 2.0e7, 2.6, 58.0, -20.0, 374.0),
    Galaxy("U128c", 3.9e10, 5.6, 7.0e9, 3.5e6, 11.0, 54.0, 64.0, 4530.0),
]


def disc_v2(r, mass, scale):
    """Square of the circular velocity of a thin exponential disc (Freeman)."""
    y = r / (2.0 * scale)
    sigma0 = mass / (2.0 * np.pi * scale ** 2)
    return 4.0 * np.pi * G * sigma0 * scale * y ** 2 * (i0(y) * k0(y) - i1(y) * k1(y))


def isothermal_v2(r, rho0, rc):
    return 4.0 * np.pi * G * rho0 * rc ** 2 * (1.0 - rc / r * np.arctan(r / rc))


def nfw_v2(r, rho0, rs):
    x = r / rs
    return 4.0 * np.pi * G * rho0 * rs ** 3 * (np.log1p(x) - x / (1.0 + x)) / r


HALOES: Dict[str, Callable] = {"isothermal": isothermal_v2, "nfw": nfw_v2}


def sky_geometry(galaxy):
    """Radius and azimuth in the plane of the galaxy for every pixel."""
    c = (np.arange(NPIX) - 0.5 * (NPIX - 1)) * PIXEL
    x, y = np.meshgrid(c, c)
    pa = np.radians(galaxy.pa)
    major = x * np.cos(pa) + y * np.sin(pa)
    minor = (-x * np.sin(pa) + y * np.cos(pa)) / np.cos(np.radians(galaxy.incl))
    return np.hypot(major, minor), np.arctan2(minor, major)


def observe(galaxy, rng):
    r, theta = sky_geometry(galaxy)
    v2 = disc_v2(r, galaxy.mass_disc, galaxy.scale) + disc_v2(r, galaxy.mass_gas, 1.8 * galaxy.scale)
    v = np.sqrt(v2 + isothermal_v2(r, galaxy.rho0, galaxy.rc))
    los = galaxy.vsys + v * np.cos(theta) * np.sin(np.radians(galaxy.incl))
    los += rng.normal(0.0, 5.0, los.shape)
    los[rng.random(los.shape) < 0.07] = np.nan
    return los


def tilted_rings(field, r, theta, vsys, incl, width):
    """Sums of each ring over the pixels within 60 degrees of the major axis; velocity and its error."""
    sin_i = np.sin(np.radians(incl))
    weight = np.zeros(NRING)
    first = np.zeros(NRING)
    second = np.zeros(NRING)
    ny, nx = field.shape
    for i in range(ny):
        for j in range(nx):
            v = field[i, j]
            if v != v:
                continue
            ring = int(r[i, j] / width)
            c = np.cos(theta[i, j])
            if ring >= NRING or abs(c) < 0.5:
                continue
            rot = (v - vsys) / (c * sin_i)
            w = c * c
            weight[ring] += w
            first[ring] += w * rot
            second[ring] += w * rot * rot
    mean = first / weight
    scatter = np.sqrt(np.maximum(second / weight - mean ** 2, 0.0))
    return mean, np.sqrt((scatter / np.sqrt(weight)) ** 2 + 1.0)


def grid_chi2(r, v, err, baryons, halo, rho_grid, rs_grid, ml_grid):
    """Chi square on a grid of halo density, halo radius and stellar mass-to-light factor."""
    rho = rho_grid[:, None, None, None]
    rs = rs_grid[None, :, None, None]
    ml = ml_grid[None, None, :, None]
    star, gas = baryons
    model = np.sqrt(ml * star + gas + halo(r, rho, rs))
    return (((v - model) / err) ** 2).sum(axis=-1)


def profile(chi2):
    """Best chi square left for each value of each parameter."""
    best = np.unravel_index(np.argmin(chi2), chi2.shape)
    return best, chi2.min(axis=(1, 2)), chi2.min(axis=(0, 2)), chi2.min(axis=(0, 1))


class MassModel:
    """Levenberg-Marquardt fit of log density, log radius and mass-to-light factor to resampled curves."""

    def __init__(self, r, baryons, halo):
        self.r = r
        self.star, self.gas = baryons
        self.halo = halo

    def velocity(self, q):
        return np.sqrt(np.abs(q[2]) * self.star + self.gas + self.halo(self.r, np.exp(q[0]), np.exp(q[1])))

    def fit(self, v, err, q0, steps=12):
        q = np.array(q0, dtype=float)
        lam = 1e-2
        res = (v - self.velocity(q)) / err
        chi = res @ res
        jac = np.empty((len(v), 3))
        for _ in range(steps):
            base = self.velocity(q)
            for k in range(3):
                trial = q.copy()
                trial[k] += 1e-4
                jac[:, k] = (self.velocity(trial) - base) / 1e-4 / err
            h = jac.T @ jac
            h[np.diag_indices(3)] *= 1.0 + lam
            h[0, 0] += 0.5
            h[1, 1] += 0.5
            new = q + np.linalg.solve(h, jac.T @ res)
            new_res = (v - self.velocity(new)) / err
            new_chi = new_res @ new_res
            if new_chi < chi:
                done = chi - new_chi < 1e-3
                q, res, chi, lam = new, new_res, new_chi, 0.3 * lam
                if done:
                    break
            else:
                lam *= 8.0
        return q, chi


def metropolis(logp, start, widths, steps, rng):
    """A single chain; logp is any function of the three parameters."""
    q = np.array(start, dtype=float)
    current = logp(q)
    kept = np.empty((steps, len(q)))
    accepted = 0
    for n in range(steps):
        trial = q + widths * rng.normal(size=len(q))
        value = logp(trial)
        if np.log(rng.random()) < value - current:
            q, current = trial, value
            accepted += 1
        kept[n] = q
    return kept, accepted


def mass_enclosed(r, v):
    """Dynamical mass and mean density slope from the curve, by differences on uneven radii."""
    m = r * v ** 2 / G
    shell = np.diff(m) / (4.0 * np.pi / 3.0 * np.diff(r ** 3))
    slope = np.gradient(np.log(v), np.log(r))
    return m, shell, slope


def analyse(galaxy, rng, results):
    field = observe(galaxy, rng)
    r2d, theta = sky_geometry(galaxy)
    width = 0.5 * NPIX * PIXEL / NRING
    v, err = tilted_rings(field, r2d, theta, galaxy.vsys, galaxy.incl, width)
    r = (np.arange(NRING) + 0.5) * width
    baryons = disc_v2(r, galaxy.mass_disc, galaxy.scale), disc_v2(r, galaxy.mass_gas, 1.8 * galaxy.scale)
    mass, shell, slope = mass_enclosed(r, v)
    results.update({galaxy.name + "_v": v, galaxy.name + "_err": err, galaxy.name + "_mass": mass,
                    galaxy.name + "_shell": shell, galaxy.name + "_slope": slope})
    for kind, halo in HALOES.items():
        chi2 = grid_chi2(r, v, err, baryons, halo, np.logspace(5.6, 7.8, 24), np.linspace(1.5, 28.0, 20),
                         np.linspace(0.4, 1.6, 13))
        best, by_rho, by_rs, by_ml = profile(chi2)
        key = galaxy.name + "_" + kind
        results.update({key + "_rho": by_rho, key + "_rs": by_rs, key + "_ml": by_ml})
        print("%-7s %-10s chi2 %10.4f at cell %s" % (galaxy.name, kind, chi2[best], tuple(int(b) for b in best)))
    return r, v, err, baryons


def main():
    rng = np.random.default_rng(2403)
    results = {}
    curves = [analyse(galaxy, rng, results) for galaxy in SAMPLE]

    r, v, err, baryons = curves[1]
    model = MassModel(r, baryons, isothermal_v2)
    truth = (np.log(SAMPLE[1].rho0), np.log(SAMPLE[1].rc), 1.0)
    q, chi = model.fit(v, err, truth)
    prior = np.array([0.5, 0.5, 0.2])

    def logp(x):
        res = (v - model.velocity(x)) / err
        return -0.5 * (res @ res) - 0.5 * (((x - truth) / prior) ** 2).sum()

    chain, accepted = metropolis(logp, q, np.array([0.03, 0.03, 0.014]), 1500, rng)
    burnt = chain[300:]
    print("fit: rho0 %.4e, rc %.4f kpc, M/L %.4f, chi2 %.4f" % (np.exp(q[0]), np.exp(q[1]), q[2], chi))
    print("chain: %d accepted, M/L %.4f +- %.4f" % (accepted, burnt[:, 2].mean(), burnt[:, 2].std()))
    results.update(fit=q, chain_mean=burnt.mean(axis=0), chain_cov=np.cov(burnt.T),
                   ml_histogram=np.histogram(burnt[:, 2], bins=np.linspace(0.0, 2.0, 21))[0])
    np.savez(sys.argv[1], **results)


if __name__ == "__main__":
    main()
