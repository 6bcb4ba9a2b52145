"""Shallow-ice flow line of a valley glacier: mass balance, sliding, implicit thickness, tracers, terminus."""
import sys
from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded

RHO_G = 910.0 * 9.81
GLEN_N = 3
CLIMATE = "0:3250 30:3230 50:3480 110:3520"


@dataclass
class Grid:
    n: int = 240
    length: float = 18000.0

    @property
    def dx(self):
        return self.length / (self.n - 1)

    @property
    def x(self):
        return np.linspace(0.0, self.length, self.n)


def parse_climate(text):
    """Equilibrium line altitude as (year, metres) knots."""
    return [tuple(float(p) for p in item.split(":")) for item in text.split()]


def ela_at(year, knots):
    for (y0, e0), (y1, e1) in zip(knots, knots[1:]):
        if y0 <= year < y1:
            return e0 + (e1 - e0) * (year - y0) / (y1 - y0)
    return knots[-1][1]


def bedrock(grid):
    x = grid.x
    bed = 3500.0 - 0.09 * x + 180.0 * np.exp(-x / 2500.0)
    bed += 40.0 * np.sin(2 * np.pi * x / 5200.0)
    bed -= 90.0 * np.exp(-((x - 9000.0) / 1200.0) ** 2)
    return bed


def valley_width(grid):
    return 700.0 + 900.0 * np.exp(-(grid.x / 5000.0) ** 2)


class FlowLine:
    def __init__(self, grid, a_flow=7.5e-17, a_slide=3.0e-15):
        self.grid = grid
        self.bed = bedrock(grid)
        self.width = valley_width(grid)
        self.h = np.zeros(grid.n)
        self.a_flow = a_flow
        self.a_slide = a_slide
        self.volume, self.front = [], []

    @property
    def surface(self):
        return self.bed + self.h

    def diffusivity(self):
        """Staggered diffusivity times width, m3 per year."""
        hm = 0.5 * (self.h[1:] + self.h[:-1])
        slope = np.diff(self.surface) / self.grid.dx
        drive = (RHO_G * hm) ** GLEN_N * slope ** 2
        deform = 2 * self.a_flow / (GLEN_N + 2) * drive * hm ** 2
        slide = self.a_slide * drive * hm
        wm = 0.5 * (self.width[1:] + self.width[:-1])
        return (deform + slide) * wm

    def balance(self, ela, gradient=0.007, cap=1.2):
        return np.minimum(gradient * (self.surface - ela), cap)

    def step(self, dt, ela):
        n, dx = self.grid.n, self.grid.dx
        d = self.diffusivity() * dt / dx ** 2
        w = self.width
        source = dt * self.balance(ela)
        flux = d * np.diff(self.surface)
        source[:-1] += flux / w[:-1]
        source[1:] -= flux / w[1:]
        source[-1] = 0.0
        d = GLEN_N * d
        bands = np.zeros((3, n))
        bands[1] = 1.0
        bands[1, 1:-1] += (d[1:] + d[:-1]) / w[1:-1]
        bands[0, 2:] = -d[1:] / w[1:-1]
        bands[2, :-2] = -d[:-1] / w[1:-1]
        bands[1, 0] += d[0] / w[0]
        bands[0, 1] = -d[0] / w[0]
        change = solve_banded((1, 1), bands, source)
        self.h = np.maximum(self.h + change, 0.0)

    def front_position(self, threshold=5.0):
        ice = np.nonzero(self.h > threshold)[0]
        return self.grid.x[ice[-1]] if len(ice) else 0.0

    def surface_velocity(self):
        slope = np.gradient(self.surface, self.grid.dx)
        tau = RHO_G * self.h * np.abs(slope)
        u = 2 * self.a_flow / (GLEN_N + 1) * tau ** GLEN_N * self.h
        return -np.sign(slope) * u


def advect_tracers(pos, depth, x, u, b, h, dt):
    """Debris grains: carried along the line, buried or exhumed by the balance."""
    pos = pos + dt * np.interp(pos, x, u)
    depth = depth + dt * np.interp(pos, x, b)
    thick = np.interp(pos, x, h)
    depth = np.minimum(np.maximum(depth, 0.0), thick)
    return np.clip(pos, 0.0, x[-1]), depth


def response_time(years, volume):
    """First year in which 63 % of the change after the peak has happened."""
    peak = max(range(len(volume)), key=volume.__getitem__)
    low = min(volume[peak:])
    target = volume[peak] - (1 - np.exp(-1.0)) * (volume[peak] - low)
    for y, v in zip(years[peak:], volume[peak:]):
        if v < target:
            return y - years[peak]
    return float("nan")


def main():
    grid = Grid()
    glacier = FlowLine(grid)
    knots = parse_climate(CLIMATE)
    rng = np.random.default_rng(1850)
    for _ in range(2400):
        glacier.step(0.25, knots[0][1])
    pos, depth = rng.uniform(200.0, 6000.0, 20000), np.zeros(20000)
    years, profiles = [], []
    dt = 0.25
    for n in range(720):
        year = n * dt
        ela = ela_at(year, knots)
        glacier.step(dt, ela)
        if n % 4 == 0:
            pos, depth = advect_tracers(pos, depth, grid.x, glacier.surface_velocity(), glacier.balance(ela), glacier.h, 1.0)
            years.append(year)
            glacier.volume.append(float(np.sum(glacier.h * glacier.width) * grid.dx / 1e9))
            glacier.front.append(glacier.front_position())
        if n % 180 == 0:
            profiles.append(glacier.h.copy())
    counts, _ = np.histogram(pos, bins=60, range=(0.0, grid.length))
    print(f"volume {glacier.volume[0]:.4f} km3 to {glacier.volume[-1]:.4f} km3, front at {glacier.front[-1]:.0f} m")
    print(f"response time {response_time(years, glacier.volume):.0f} years, grains buried near the front: {np.mean(pos > glacier.front[-1] - 500.0):.3f}")
    np.savez(sys.argv[1], h=glacier.h, profiles=np.array(profiles), volume=np.array(glacier.volume),
             front=np.array(glacier.front), counts=counts, depth=depth)


if __name__ == "__main__":
    main()
