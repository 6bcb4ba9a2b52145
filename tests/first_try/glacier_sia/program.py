"""Shallow-ice model of a valley glacier advancing from bare ground.

Explicit time stepping of the thickness equation with Glen's law (n = 3) and an
elevation-dependent mass balance; afterwards surface velocities, the terminus line
and the travel paths of erratics dropped in the accumulation area.
"""
import sys

import numpy as np


class Constants:
    rho = 910.0
    g = 9.81
    n = 3
    A = 7.57e-17          # Pa^-3 a^-1
    gamma = 2.0 * A * (rho * g) ** 3 / (n + 2)


class Glacier:
    def __init__(self, nx=72, ny=48, dx=250.0, ela=2650.0):
        self.dx = dx
        self.nx, self.ny = nx, ny
        self.ela = ela
        x = np.arange(nx) * dx
        y = (np.arange(ny) - 0.5 * (ny - 1)) * dx
        self.x, self.y = x, y
        valley = 3200.0 - 0.085 * x
        walls = 900.0 * (y / y.max()) ** 2
        ripple = 25.0 * np.sin(2 * np.pi * x / 6000.0)[None, :] * np.cos(np.pi * y / 9000.0)[:, None]
        self.bed = valley[None, :] + walls[:, None] + ripple
        self.h = np.zeros((ny, nx))
        self.time = 0.0
        self.volumes = []

    def surface_balance(self):
        """Mass balance in m/a: linear in height above the ELA, capped in the snow field."""
        surf = self.bed + self.h
        b = 0.007 * (surf - self.ela)
        np.minimum(b, 1.8, out=b)
        return b

    def diffusivity(self):
        """Diffusivity on the staggered cell corners."""
        surf = self.bed + self.h
        hbar = 0.25 * (self.h[1:, 1:] + self.h[:-1, 1:] + self.h[1:, :-1] + self.h[:-1, :-1])
        sx = (surf[1:, 1:] - surf[1:, :-1] + surf[:-1, 1:] - surf[:-1, :-1]) / (2.0 * self.dx)
        sy = (surf[1:, 1:] - surf[:-1, 1:] + surf[1:, :-1] - surf[:-1, :-1]) / (2.0 * self.dx)
        slope2 = sx ** 2 + sy ** 2
        return Constants.gamma * hbar ** (Constants.n + 2) * slope2

    def step(self, dt_max):
        d = self.diffusivity()
        dmax = d.max()
        dt = min(dt_max, 0.12 * self.dx ** 2 / (dmax + 1e-3))
        surf = self.bed + self.h
        dxe = 0.5 * (d[1:, :] + d[:-1, :])
        dye = 0.5 * (d[:, 1:] + d[:, :-1])
        qx = -dxe * (surf[1:-1, 1:] - surf[1:-1, :-1]) / self.dx
        qy = -dye * (surf[1:, 1:-1] - surf[:-1, 1:-1]) / self.dx
        div = (qx[:, 1:] - qx[:, :-1] + qy[1:, :] - qy[:-1, :]) / self.dx
        b = self.surface_balance()
        new = self.h.copy()
        new[1:-1, 1:-1] += dt * (b[1:-1, 1:-1] - div)
        new[new < 0.0] = 0.0
        new[0, :] = new[-1, :] = 0.0
        new[:, 0] = 0.0
        new[:, -1] = 0.0
        self.h = new
        self.time += dt
        return dt

    def run(self, nstep, dt_max):
        for k in range(nstep):
            self.step(dt_max)
            self.volumes.append(self.h.sum() * self.dx ** 2 * 1e-9)

    def surface_velocity(self):
        """Cell-centred surface velocity components in m/a (zero on the rim)."""
        surf = self.bed + self.h
        gy, gx = np.gradient(surf, self.dx)
        factor = -2.0 * Constants.A * (Constants.rho * Constants.g) ** 3 / 4.0
        speed = factor * self.h ** 4 * (gx ** 2 + gy ** 2)
        return speed * gx, speed * gy

    def terminus(self, minimum=5.0):
        """Index of the last column with ice for every row, -1 for rows without any."""
        last = np.full(self.ny, -1, dtype=np.int64)
        for r in range(self.ny):
            for c in range(self.nx - 1, -1, -1):
                if self.h[r, c] > minimum:
                    last[r] = c
                    break
        return last

    def trace(self, x0, y0, u, v, dt, nmax):
        """March boulders down the surface flow with the velocity of the cell they sit on."""
        px = np.array(x0)
        py = np.array(y0)
        age = np.zeros(len(px))
        for p in range(len(px)):
            xx, yy = px[p], py[p]
            k = 0
            while k < nmax:
                fx = xx / self.dx
                fy = yy / self.dx
                i = int(fx)
                j = int(fy)
                if i < 0 or j < 0 or i >= self.nx - 1 or j >= self.ny - 1:
                    break
                a = fx - i
                b = fy - j
                uu = (1 - b) * ((1 - a) * u[j, i] + a * u[j, i + 1]) + b * ((1 - a) * u[j + 1, i] + a * u[j + 1, i + 1])
                vv = (1 - b) * ((1 - a) * v[j, i] + a * v[j, i + 1]) + b * ((1 - a) * v[j + 1, i] + a * v[j + 1, i + 1])
                if uu * uu + vv * vv < 0.01:
                    break
                xx += uu * dt
                yy += vv * dt
                k += 1
            px[p] = xx
            py[p] = yy
            age[p] = k * dt
        return px, py, age


def hypsometry(surface, mask, edges):
    """Ice-covered cell count per elevation band and its cumulative fraction from below."""
    counts, _ = np.histogram(surface[mask], bins=edges)
    return counts, np.cumsum(counts) / counts.sum()


def report(glacier, last):
    covered = glacier.h > 1.0
    print(f"t = {glacier.time:.2f} a, volume {glacier.volumes[-1]:.5f} km3, area {covered.sum() * glacier.dx ** 2 * 1e-6:.3f} km2")
    print(f"thickest ice {glacier.h.max():.3f} m, longest flowline {last.max() * glacier.dx * 1e-3:.2f} km")
    return covered


if __name__ == "__main__":
    gl = Glacier()
    gl.run(50, 4.0)
    u, v = gl.surface_velocity()
    last = gl.terminus()
    covered = report(gl, last)
    counts, fraction = hypsometry(gl.bed + gl.h, covered, np.arange(2000.0, 4301.0, 100.0))
    rng = np.random.default_rng(88)
    px, py, age = gl.trace(rng.uniform(600.0, 15000.0, 150), rng.uniform(1500.0, 10000.0, 150), u, v, 4.0, 60)
    print(f"boulders moved {np.mean(age):.3f} a on average, furthest x {px.max():.2f} m")
    np.savez(sys.argv[1], h=gl.h, volumes=np.array(gl.volumes), u=u, v=v, last=last,
             counts=counts, fraction=fraction, px=px, py=py, age=age)
