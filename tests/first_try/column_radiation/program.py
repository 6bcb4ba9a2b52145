"""Radiative-convective equilibrium of a set of grey atmospheric columns.

Two-stream long-wave fluxes, short-wave heating by a water-vapour-like
absorber, and a hard convective adjustment of the lapse rate.
"""
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Planet:
    sigma: float = 5.670374419e-8
    g: float = 9.81
    cp: float = 1004.0
    r_dry: float = 287.0
    p_surface: float = 1.0e5
    p_top: float = 500.0
    slab: float = 4.2e6 * 2.0
    lapse: float = 6.5e-3


@dataclass
class Grid:
    columns: int = 48
    levels: int = 30
    planet: Planet = field(default_factory=Planet)

    def __post_init__(self):
        p = self.planet
        eta = np.linspace(0.0, 1.0, self.levels + 1)
        self.p_half = p.p_top + (p.p_surface - p.p_top) * eta ** 1.3
        self.p_full = 0.5 * (self.p_half[1:] + self.p_half[:-1])
        self.dp = np.diff(self.p_half)
        self.latitude = np.linspace(-85.0, 85.0, self.columns)


class Columns:
    """Temperature state of all columns, level 0 at the top."""

    def __init__(self, grid, rng):
        self.grid = grid
        n, k = grid.columns, grid.levels
        self.t = 250.0 + 30.0 * (grid.p_full / 1e5)[None, :] + rng.normal(0.0, 1.0, (n, k))
        self.t_surface = 285.0 + rng.normal(0.0, 2.0, n)
        self.solar = self.insolation()
        self.olr = np.zeros(n)
        self.adjusted = 0.0

    def insolation(self):
        s = np.sin(np.deg2rad(self.grid.latitude))
        return 340.0 * (1.0 - 0.48 * 0.5 * (3.0 * s ** 2 - 1.0)) * 0.7

    def optical_depth(self):
        """Grey long-wave depth of every layer, larger in warm columns."""
        g = self.grid
        x = g.p_half / g.planet.p_surface
        tau0 = 2.5 + 2.0 * np.cos(np.deg2rad(g.latitude)) ** 2
        tau = tau0[:, None] * (0.15 * x + 0.85 * x ** 4)[None, :]
        return np.diff(tau, axis=1)

    def longwave(self, dtau):
        """Upward and downward fluxes at half levels, level by level."""
        planet = self.grid.planet
        n, k = self.t.shape
        trans = np.exp(-1.66 * dtau)
        source = planet.sigma * self.t ** 4
        down = np.zeros((n, k + 1))
        for i in range(k):
            down[:, i + 1] = down[:, i] * trans[:, i] + source[:, i] * (1.0 - trans[:, i])
        up = np.zeros((n, k + 1))
        up[:, k] = planet.sigma * self.t_surface ** 4
        for i in range(k - 1, -1, -1):
            up[:, i] = up[:, i + 1] * trans[:, i] + source[:, i] * (1.0 - trans[:, i])
        return up, down

    def shortwave(self):
        x = self.grid.p_half / self.grid.planet.p_surface
        return self.solar[:, None] * np.exp(-0.22 * x ** 2)[None, :]

    def adjust(self, sweeps):
        """Pairwise convective adjustment, energy conserving, from the ground up."""
        g, planet = self.grid, self.grid.planet
        k = g.levels
        for _ in range(sweeps):
            for i in range(k - 1, 0, -1):
                low, high = self.t[:, i], self.t[:, i - 1]
                dz = planet.r_dry * 0.5 * (low + high) / planet.g * np.log(g.p_full[i] / g.p_full[i - 1])
                excess = low - high - planet.lapse * dz
                move = np.where(excess > 0.0, excess, 0.0)
                total = g.dp[i] + g.dp[i - 1]
                self.t[:, i] -= move * g.dp[i - 1] / total
                self.t[:, i - 1] += move * g.dp[i] / total
                self.adjusted += move.sum()

    def step(self, dt, dtau):
        g, planet = self.grid, self.grid.planet
        up, down = self.longwave(dtau)
        sw = self.shortwave()
        net = up - down - sw
        heating = planet.g / planet.cp * np.diff(net, axis=1) / g.dp
        self.t += dt * heating
        exchange = 8.0 * (self.t_surface - self.t[:, -1])
        surface = sw[:, -1] + down[:, -1] - up[:, -1] - exchange
        self.t_surface += dt * surface / planet.slab
        self.t[:, -1] += dt * exchange * planet.g / (planet.cp * g.dp[-1])
        self.olr = up[:, 0].copy()
        self.adjust(1)


def area_mean(values, latitude):
    w = np.cos(np.deg2rad(latitude))
    return (values * w).sum() / w.sum()


def main():
    grid = Grid()
    cols = Columns(grid, np.random.default_rng(77))
    dtau = cols.optical_depth()
    history = []
    for n in range(24):
        cols.step(6 * 3600.0, dtau)
        history.append(area_mean(cols.t_surface, grid.latitude))
    history = np.array(history)
    tropopause = grid.p_full[np.argmin(cols.t, axis=1)]
    np.savez(sys.argv[1], t=cols.t, t_surface=cols.t_surface, olr=cols.olr,
             history=history, tropopause=tropopause, dtau=dtau)
    print(f"{grid.columns} columns of {grid.levels} levels")
    print(f"mean surface temperature {history[-1]:.5f} K, OLR {area_mean(cols.olr, grid.latitude):.5f} W/m2")
    print(f"convective adjustment {cols.adjusted:.4f} K")


if __name__ == "__main__":
    main()
