"""Shallow water on an Arakawa C grid: class with many fields, dict of diagnostics, config dataclass, argparse."""
import sys
from dataclasses import dataclass, asdict
import numpy as np


@dataclass(frozen=True)
class Config:
    nx: int = 48
    ny: int = 40
    dx: float = 1e4
    g: float = 9.81
    depth: float = 100.0
    f0: float = 1e-4
    beta: float = 2e-11
    drag: float = 1e-6

    @property
    def dt(self) -> float:
        return 0.4 * self.dx / np.sqrt(self.g * self.depth)


class ShallowWater:
    def __init__(self, cfg: Config):
        self.cfg = cfg
        ny, nx = cfg.ny, cfg.nx
        self.h = np.zeros((ny, nx))
        self.u = np.zeros((ny, nx + 1))
        self.v = np.zeros((ny + 1, nx))
        y = (np.arange(ny) - ny / 2) * cfg.dx
        self.f = (cfg.f0 + cfg.beta * y)[:, None]
        self.time = 0.0
        self.diag = {"mass": [], "energy": []}

    def bump(self, amp, width):
        ny, nx = self.h.shape
        yy, xx = np.meshgrid(np.arange(ny), np.arange(nx), indexing="ij")
        self.h += amp * np.exp(-((xx - nx / 2) ** 2 + (yy - ny / 3) ** 2) / (2 * width**2))

    def _divergence(self):
        return (self.u[:, 1:] - self.u[:, :-1] + self.v[1:] - self.v[:-1]) / self.cfg.dx

    def step(self):
        c = self.cfg
        dt = c.dt
        self.h -= dt * c.depth * self._divergence()
        u_at_v = 0.25 * (self.u[:-1, :-1] + self.u[:-1, 1:] + self.u[1:, :-1] + self.u[1:, 1:])
        v_at_u = 0.25 * (self.v[:-1, :-1] + self.v[1:, :-1] + self.v[:-1, 1:] + self.v[1:, 1:])
        gx = c.g * np.diff(self.h, axis=1) / c.dx
        gy = c.g * np.diff(self.h, axis=0) / c.dx
        self.u[:, 1:-1] += dt * (self.f * v_at_u - gx - c.drag * self.u[:, 1:-1])
        self.v[1:-1] += dt * (-self.f[1:] * u_at_v - gy - c.drag * self.v[1:-1])
        self.u[:, 0] = self.u[:, -1] = 0
        self.v[[0, -1]] = 0
        self.time += dt

    def energy(self):
        c = self.cfg
        ke = 0.5 * c.depth * ((self.u**2).sum() + (self.v**2).sum())
        pe = 0.5 * c.g * (self.h**2).sum()
        return ke + pe

    def record(self):
        self.diag["mass"].append(float(self.h.mean()))
        self.diag["energy"].append(float(self.energy()))

    def __repr__(self):
        return f"<ShallowWater t={self.time:.1f} max={np.abs(self.h).max():.4f}>"


def vorticity(model):
    return np.diff(model.v[1:-1], axis=1) / model.cfg.dx - np.diff(model.u[:, 1:-1], axis=0) / model.cfg.dx


def main():
    cfg = Config(nx=50)
    m = ShallowWater(cfg)
    m.bump(1.0, 5.0)
    for n in range(40):
        m.step()
        if n % 10 == 9:
            m.record()
    print(m)
    print(sorted(asdict(cfg)), "%.6f" % m.diag["energy"][-1])
    np.savez(sys.argv[1], h=m.h, u=m.u, v=m.v, vort=vorticity(m), **{k: np.array(v) for k, v in m.diag.items()})


if __name__ == "__main__":
    main()
