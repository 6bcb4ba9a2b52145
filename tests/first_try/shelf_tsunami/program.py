"""Tsunami on a sloping shelf: shallow-water equations on a staggered C grid.

Long-wave momentum with Manning friction, upwind continuity, a sponge on the
offshore side and simple wetting/drying at the shore.
"""
import sys

import numpy as np

G = 9.81
DRY = 0.05


class Basin:
    def __init__(self, ny=110, nx=150, dx=1000.0, manning=0.025):
        self.ny, self.nx, self.dx = ny, nx, dx
        self.manning = manning
        x = (np.arange(nx) + 0.5) * dx
        y = (np.arange(ny) + 0.5) * dx
        self.X, self.Y = np.meshgrid(x, y)
        shelf = 2800.0 * (1.0 - self.X / ((0.88 + 0.04 * np.cos(self.Y / 17e3)) * nx * dx))
        canyon = 500.0 * np.exp(-((self.Y - 0.6 * ny * dx) / 9e3) ** 2)
        self.depth = np.clip(shelf + canyon * (self.X < 0.8 * nx * dx), -30.0, 2500.0)
        self.eta = np.maximum(0.0, -self.depth)
        self.u = np.zeros((ny, nx + 1))
        self.v = np.zeros((ny + 1, nx))
        self.peak = np.zeros((ny, nx))
        self.arrival = np.full((ny, nx), np.nan)
        self.t = 0.0
        ramp = np.ones(nx)
        ramp[:12] = 1.0 - 0.08 * ((12 - np.arange(12)) / 12.0) ** 2
        self.sponge = ramp
        self.dt = 0.8 * dx / np.sqrt(2.0 * G * 2600.0)

    def add_source(self, xc, yc, length, width, uplift, strike):
        c, s = np.cos(np.radians(strike)), np.sin(np.radians(strike))
        along = (self.X - xc) * s + (self.Y - yc) * c
        across = (self.X - xc) * c - (self.Y - yc) * s
        shape = np.exp(-0.5 * (along / length) ** 2 - 0.5 * (across / width) ** 2)
        shape *= uplift * (1.0 - 0.6 * across / width)
        wet = self.depth > DRY
        self.eta[wet] += shape[wet]

    def momentum(self):
        d = np.maximum(self.depth + self.eta, 0.0)
        k = self.dt / self.dx * G
        dface = 0.5 * (d[:, 1:] + d[:, :-1])
        u = self.u[:, 1:-1]
        u -= k * (self.eta[:, 1:] - self.eta[:, :-1])
        u /= 1.0 + self.dt * G * self.manning ** 2 * np.abs(u) / np.maximum(dface, 1.0) ** (4.0 / 3.0)
        u[dface < DRY] = 0.0
        dface = 0.5 * (d[1:] + d[:-1])
        v = self.v[1:-1]
        v -= k * (self.eta[1:] - self.eta[:-1])
        v /= 1.0 + self.dt * G * self.manning ** 2 * np.abs(v) / np.maximum(dface, 1.0) ** (4.0 / 3.0)
        v[dface < DRY] = 0.0

    def continuity(self):
        d = np.maximum(self.depth + self.eta, 0.0)
        fx = np.zeros_like(self.u)
        fy = np.zeros_like(self.v)
        ui = self.u[:, 1:-1]
        vi = self.v[1:-1]
        fx[:, 1:-1] = np.where(ui > 0, ui * d[:, :-1], ui * d[:, 1:])
        fy[1:-1] = np.where(vi > 0, vi * d[:-1], vi * d[1:])
        self.eta -= self.dt / self.dx * (fx[:, 1:] - fx[:, :-1] + fy[1:] - fy[:-1])
        wet = self.depth > DRY
        self.eta = np.where(wet, self.eta * self.sponge, self.eta)

    def bookkeeping(self, threshold=0.05):
        level = np.where(self.depth > DRY, self.eta, 0.0)
        np.maximum(self.peak, level, out=self.peak)
        first = (np.abs(level) > threshold) & np.isnan(self.arrival)
        self.arrival[first] = self.t

    def advance(self, nsteps, gauges):
        gj, gi = gauges
        record = np.zeros((nsteps, len(gj)))
        for n in range(nsteps):
            self.momentum()
            self.continuity()
            self.t += self.dt
            self.bookkeeping()
            record[n] = self.eta[gj, gi]
        return record

    def volume(self):
        wet = self.depth > DRY
        return np.sum(self.eta[wet]) * self.dx ** 2


def shore_profile(peak, depth):
    """Row by row: the shoreward-most wet column and the largest crest in its last ten cells."""
    ny, nx = peak.shape
    column = np.zeros(ny, dtype=np.int64)
    crest = np.zeros(ny)
    for j in range(ny):
        i = nx - 1
        while i > 0 and depth[j, i] <= DRY:
            i -= 1
        column[j] = i
        best = 0.0
        for k in range(max(0, i - 10), i + 1):
            if peak[j, k] > best:
                best = peak[j, k]
        crest[j] = best
    return column, crest


if __name__ == "__main__":
    basin = Basin()
    basin.add_source(114e3, 52e3, 22e3, 9e3, 2.2, 12.0)
    v0 = basin.volume()
    gauges = (np.array([20, 40, 52, 66, 90]), np.array([70, 85, 90, 95, 60]))
    record = basin.advance(50, gauges)
    v1 = basin.volume()
    column, crest = shore_profile(basin.peak, basin.depth)
    print(f"simulated {basin.t:.1f} s, dt {basin.dt:.4f} s")
    print(f"water moved {v0:.6e} -> {v1:.6e} m3")
    print(f"highest crest {basin.peak.max():.6f} m, cells reached {np.count_nonzero(~np.isnan(basin.arrival))}")
    np.savez(sys.argv[1], eta=basin.eta, peak=basin.peak, arrival=basin.arrival,
             record=record, column=column, crest=crest)
