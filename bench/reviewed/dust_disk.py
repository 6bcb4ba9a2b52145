"""Viscous evolution of a protoplanetary gas disk with drifting dust particles."""

import sys
from dataclasses import dataclass, field

import numpy as np

AU = 1.496e13
MSUN = 1.989e33
GRAV = 6.674e-8
YEAR = 3.156e7


@dataclass
class Star:
    mass: float = 1.0

    def omega(self, r):
        """Keplerian angular frequency in 1/s at r in au."""
        return np.sqrt(GRAV * self.mass * MSUN / (r * AU) ** 3)


@dataclass
class DiskParams:
    alpha: float = 1e-3
    h0: float = 0.033
    flaring: float = 0.25
    sigma0: float = 1700.0
    r_cut: float = 60.0
    star: Star = field(default_factory=Star)


class GasDisk:
    """Surface density on a logarithmic grid, diffused explicitly."""

    def __init__(self, params, n_cells=20000, r_in=0.5, r_out=300.0):
        self.params = params
        self.edges = np.geomspace(r_in, r_out, n_cells + 1)
        self.r = np.sqrt(self.edges[1:] * self.edges[:-1])
        self.dr = np.diff(self.edges)
        self.sigma = params.sigma0 / self.r * np.exp(-self.r / params.r_cut)
        self.omega = params.star.omega(self.r)
        self.cs = self.aspect(self.r) * self.r * AU * self.omega
        self.nu = params.alpha * self.cs**2 / self.omega
        self.time = 0.0
        self.accreted = 0.0

    def aspect(self, r):
        return self.params.h0 * r**self.params.flaring

    def mass(self):
        """Gas mass in solar masses."""
        return 2.0 * np.pi * np.sum(self.r * self.sigma * self.dr) * AU**2 / MSUN

    def velocity(self):
        """Radial gas velocity in cm/s at inner cell edges."""
        torque = self.nu * self.sigma * np.sqrt(self.r)
        grad = np.diff(torque) / (np.diff(self.r) * AU)
        s_edge = 0.5 * (self.sigma[1:] + self.sigma[:-1])
        return -3.0 * grad / (np.maximum(s_edge, 1e-12) * np.sqrt(self.edges[1:-1]))

    def max_step(self):
        return 0.05 * np.min((self.dr * AU) ** 2 / self.nu)

    def step(self, dt):
        flux = np.zeros(self.r.size + 1)
        v = self.velocity()
        upwind = np.where(v > 0.0, self.sigma[:-1], self.sigma[1:])
        flux[1:-1] = v * upwind * self.edges[1:-1]
        flux[0] = min(flux[1], 0.0)
        change = (flux[1:] - flux[:-1]) / (self.r * self.dr * AU)
        self.sigma -= dt * change
        self.sigma[self.sigma < 1e-12] = 1e-12
        self.accreted -= 2.0 * np.pi * flux[0] * AU * dt / MSUN
        self.time += dt


class DustSwarm:
    """Representative dust particles with radial drift and turbulent kicks."""

    def __init__(self, disk, n, rng, size_range=(1e-3, 1.0)):
        self.disk = disk
        self.rng = rng
        self.r = rng.uniform(5.0, 150.0, n)
        lo, hi = np.log10(size_range)
        self.size = 10.0 ** rng.uniform(lo, hi, n)
        self.alive = np.ones(n, dtype=bool)

    def stokes(self, sigma):
        return 0.5 * np.pi * self.size * 1.6 / sigma

    def step(self, dt):
        disk = self.disk
        sigma = np.interp(self.r, disk.r, disk.sigma)
        nu = np.interp(self.r, disk.r, disk.nu)
        pressure = disk.sigma * disk.cs * disk.omega
        dlnp = np.gradient(np.log(pressure), np.log(disk.r))
        slope = np.interp(self.r, disk.r, dlnp)
        st = self.stokes(sigma)
        vk = disk.params.star.omega(self.r) * self.r * AU
        eta = -0.5 * disk.aspect(self.r) ** 2 * slope
        drift = -2.0 * eta * vk * st / (1.0 + st**2)
        kick = self.rng.normal(size=self.r.size) * np.sqrt(2.0 * nu / (1.0 + st**2) * dt)
        moved = self.r + (drift * dt + kick) / AU
        moved = np.where(self.alive, moved, self.r)
        self.alive &= moved > disk.edges[0]
        self.r = np.clip(moved, disk.edges[0], disk.edges[-1])

    def histogram(self, bins):
        counts, _ = np.histogram(self.r[self.alive], bins=bins)
        return counts / counts.sum()


def half_mass_radius(disk):
    cumulative = np.cumsum(disk.r * disk.sigma * disk.dr)
    i = np.searchsorted(cumulative, 0.5 * cumulative[-1])
    return disk.r[i]


def main():
    rng = np.random.default_rng(77)
    disk = GasDisk(DiskParams(), n_cells=2000)
    dust = DustSwarm(disk, 100_000, rng)
    history = []
    for n in range(300):
        dt = min(disk.max_step(), 20.0 * YEAR)
        disk.step(dt)
        if n % 5 == 0:
            dust.step(5.0 * dt)
        if n % 50 == 0:
            history.append((disk.time / YEAR, disk.mass(), half_mass_radius(disk)))
    history = np.array(history)
    bins = np.geomspace(0.5, 300.0, 41)
    profile = dust.histogram(bins)
    print(f"time {disk.time / YEAR:.1f} yr, gas mass {disk.mass():.6f} Msun")
    print(f"accreted {disk.accreted:.3e} Msun, half-mass radius {history[-1, 2]:.3f} au")
    print(f"dust left {dust.alive.mean():.4f}, median radius {np.median(dust.r):.4f} au")
    np.savez(
        sys.argv[1],
        sigma=disk.sigma,
        r=dust.r,
        alive=dust.alive,
        history=history,
        profile=profile,
    )


if __name__ == "__main__":
    main()
