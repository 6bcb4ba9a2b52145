"""Two-phase (oil/water) IMPES on a heterogeneous 2-D reservoir, quarter five-spot pattern."""
import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class Fluid:
    mu_w: float = 3.0e-4
    mu_o: float = 1.5e-3
    swc: float = 0.2
    sor: float = 0.2
    krw_max: float = 0.6
    kro_max: float = 0.9
    nw: float = 2.0
    no: float = 2.0


@dataclass
class Grid:
    nx: int = 28
    ny: int = 28
    dx: float = 10.0
    dy: float = 10.0
    h: float = 5.0

    @property
    def volume(self):
        return self.dx * self.dy * self.h


def smooth_field(a, passes):
    for _ in range(passes):
        p = np.pad(a, 1, mode="edge")
        a = (p[1:-1, 1:-1] + p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:]) / 5.0
    return a


def permeability(grid, rng):
    z = smooth_field(rng.standard_normal((grid.nx, grid.ny)), 4)
    z = (z - z.mean()) / z.std()
    return 1.0e-13 * np.exp(0.8 * z)


def relperm(sw, fl):
    se = np.clip((sw - fl.swc) / (1.0 - fl.swc - fl.sor), 0.0, 1.0)
    krw = fl.krw_max * se ** fl.nw
    kro = fl.kro_max * (1.0 - se) ** fl.no
    return krw / fl.mu_w, kro / fl.mu_o


def geometric_transmissibility(k, grid):
    tx = 2.0 * k[1:, :] * k[:-1, :] / (k[1:, :] + k[:-1, :]) * grid.dy * grid.h / grid.dx
    ty = 2.0 * k[:, 1:] * k[:, :-1] / (k[:, 1:] + k[:, :-1]) * grid.dx * grid.h / grid.dy
    return tx, ty


def assemble(tx, ty, nx, ny):
    """Dense pressure matrix; cell (i, j) has number i*ny + j."""
    n = nx * ny
    A = np.zeros((n, n))
    idx = np.arange(n).reshape(nx, ny)
    for a, b, t in ((idx[1:, :], idx[:-1, :], tx), (idx[:, 1:], idx[:, :-1], ty)):
        a, b, t = a.ravel(), b.ravel(), t.ravel()
        A[a, b] = -t
        A[b, a] = -t
        np.add.at(A, (a, a), t)
        np.add.at(A, (b, b), t)
    return A


def solve_pressure(tx, ty, q, nx, ny):
    A = assemble(tx, ty, nx, ny)
    A[0, 0] += A[0, 0]          # pins the pressure level
    p = np.linalg.solve(A, q.ravel())
    return p.reshape(nx, ny)


def upwind_fluxes(p, lw, tx, ty, lw_lo):
    dpx = p[:-1, :] - p[1:, :]
    dpy = p[:, :-1] - p[:, 1:]
    fw = lw / lw_lo
    fx = np.where(dpx > 0, fw[:-1, :], fw[1:, :]) * tx * dpx
    fy = np.where(dpy > 0, fw[:, :-1], fw[:, 1:]) * ty * dpy
    return fx, fy


def divergence(fx, fy, shape):
    div = np.zeros(shape)
    div[:-1, :] += fx
    div[1:, :] -= fx
    div[:, :-1] += fy
    div[:, 1:] -= fy
    return div


def simulate(grid, fl, k, phi, q, nsteps, nsub, dt):
    gx, gy = geometric_transmissibility(k, grid)
    sw = np.full((grid.nx, grid.ny), fl.swc)
    pore = phi * grid.volume
    cut = np.zeros(nsteps)
    produced = np.zeros(nsteps)
    total = 0.0
    p = np.zeros_like(sw)
    for step in range(nsteps):
        lw, lo = relperm(sw, fl)
        lt = lw + lo
        tx = gx * 0.5 * (lt[1:, :] + lt[:-1, :])
        ty = gy * 0.5 * (lt[:, 1:] + lt[:, :-1])
        p = solve_pressure(tx, ty, q, grid.nx, grid.ny)
        for _ in range(nsub):
            lw, lo = relperm(sw, fl)
            fw = lw / (lw + lo)
            fx, fy = upwind_fluxes(p, lw, tx, ty, lw + lo)
            src = np.where(q > 0, q, q * fw)
            sw = sw + dt / pore * (src - divergence(fx, fy, sw.shape))
            np.clip(sw, fl.swc, 1.0 - fl.sor, out=sw)
        cut[step] = fw[-1, -1]
        total += -q[-1, -1] * (1.0 - cut[step]) * dt * nsub
        produced[step] = total
    return sw, p, cut, produced


def front_position(sw, fl, threshold=0.05):
    """Furthest swept cell of every row, -1 where the row is still dry."""
    wet = sw > fl.swc + threshold
    j = sw.shape[1] - 1 - np.argmax(wet[:, ::-1], axis=1)
    return np.where(wet.any(axis=1), j, -1)


def main(out):
    grid, fl = Grid(), Fluid()
    rng = np.random.default_rng(411)
    k = permeability(grid, rng)
    phi = 0.2 + 0.03 * smooth_field(rng.standard_normal(k.shape), 2)
    q = np.zeros_like(k)
    rate = 2.0e-4
    q[0, 0] = rate
    q[-1, -1] = -rate
    sw, p, cut, produced = simulate(grid, fl, k, phi, q, nsteps=8, nsub=60, dt=2.5e5)
    ooip = float(np.sum(phi * grid.volume * (1.0 - fl.swc)))
    front = front_position(sw, fl)
    print(f"oil in place {ooip:.3f} m3, recovered {produced[-1] / ooip:.5f}")
    print(f"mean saturation {sw.mean():.8f}, pressure drop {(p.max() - p.min()) / 1e5:.5f} bar")
    print("front:", int(front.min()), int(front.max()))
    np.savez(out, sw=sw, p_bar=p / 1e5, watercut=cut, produced=produced, front=front, perm_md=k / 9.869233e-16)


if __name__ == "__main__":
    main(sys.argv[1])
