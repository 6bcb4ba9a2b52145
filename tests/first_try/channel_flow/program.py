"""Lid-driven cavity on a collocated finite-volume grid.

Upwind/central advection, explicit diffusion, pressure from a geometric multigrid
with red-black smoothing; a 1-D shock tube checks the Riemann solver used elsewhere.
"""
import sys
import numpy as np


class Multigrid:
    """V-cycles for the Neumann Poisson problem on an n x n cell-centred grid."""

    def __init__(self, n, h, pre=2, post=2, coarsest=4):
        self.levels = []
        self.pre, self.post, self.coarsest = pre, post, coarsest
        while n >= coarsest:
            i, j = np.indices((n, n))
            self.levels.append({"n": n, "h": h, "red": (i + j) % 2 == 0, "black": (i + j) % 2 == 1,
                                "diag": self.count_neighbours(n)})
            n //= 2
            h *= 2.0
        self.residuals = []

    @staticmethod
    def count_neighbours(n):
        d = np.full((n, n), 4.0)
        d[0, :] -= 1.0
        d[-1, :] -= 1.0
        d[:, 0] -= 1.0
        d[:, -1] -= 1.0
        return d

    @staticmethod
    def neighbour_sum(p):
        s = np.zeros_like(p)
        s[1:, :] += p[:-1, :]
        s[:-1, :] += p[1:, :]
        s[:, 1:] += p[:, :-1]
        s[:, :-1] += p[:, 1:]
        return s

    def smooth(self, level, p, f, sweeps):
        h2 = level["h"] ** 2
        for _ in range(sweeps):
            for colour in ("red", "black"):
                update = (self.neighbour_sum(p) - h2 * f) / level["diag"]
                p = np.where(level[colour], update, p)
        return p

    def residual(self, level, p, f):
        return f - (self.neighbour_sum(p) - level["diag"] * p) / level["h"] ** 2

    def cycle(self, k, p, f):
        level = self.levels[k]
        if k == len(self.levels) - 1:
            return self.smooth(level, p, f, 12)
        p = self.smooth(level, p, f, self.pre)
        r = self.residual(level, p, f)
        rc = 0.25 * (r[0::2, 0::2] + r[1::2, 0::2] + r[0::2, 1::2] + r[1::2, 1::2])
        e = self.cycle(k + 1, np.zeros_like(rc), rc)
        p = p + np.repeat(np.repeat(e, 2, axis=0), 2, axis=1)
        return self.smooth(level, p, f, self.post)

    def solve(self, f, p, cycles):
        f = f - f.mean()
        for _ in range(cycles):
            p = self.cycle(0, p, f)
            p = p - p.mean()
        self.residuals.append(float(np.abs(self.residual(self.levels[0], p, f)).max()))
        return p


class Cavity:
    def __init__(self, n=48, reynolds=100.0, lid=1.0):
        self.n = n
        self.h = 1.0 / n
        self.nu = lid / reynolds
        self.lid = lid
        self.dt = 0.2 * min(self.h / lid, 0.25 * self.h ** 2 / self.nu * 4)
        self.u = np.zeros((n + 1, n))      # x faces
        self.v = np.zeros((n, n + 1))      # y faces
        self.p = np.zeros((n, n))
        self.mg = Multigrid(n, self.h, coarsest=6)
        self.kinetic = []

    def ghosts(self):
        n = self.n
        ug = np.zeros((n + 1, n + 2))
        ug[:, 1:-1] = self.u
        ug[:, 0] = -self.u[:, 0]
        ug[:, -1] = 2.0 * self.lid - self.u[:, -1]
        vg = np.zeros((n + 2, n + 1))
        vg[1:-1, :] = self.v
        vg[0, :] = -self.v[0, :]
        vg[-1, :] = -self.v[-1, :]
        return ug, vg

    def predictor(self):
        ug, vg = self.ghosts()
        h, nu = self.h, self.nu
        uc = 0.5 * (self.u[1:, :] + self.u[:-1, :])
        vc = 0.5 * (self.v[:, 1:] + self.v[:, :-1])
        u_corner = 0.5 * (ug[:, 1:] + ug[:, :-1])
        v_corner = 0.5 * (vg[1:, :] + vg[:-1, :])
        cross = u_corner * v_corner
        lap_u = (self.u[2:, :] + self.u[:-2, :] + ug[1:-1, 2:] + ug[1:-1, :-2] - 4.0 * self.u[1:-1, :]) / h ** 2
        lap_v = (self.v[:, 2:] + self.v[:, :-2] + vg[2:, 1:-1] + vg[:-2, 1:-1] - 4.0 * self.v[:, 1:-1]) / h ** 2
        adv_u = (uc[1:, :] ** 2 - uc[:-1, :] ** 2) / h + (cross[1:-1, 1:] - cross[1:-1, :-1]) / h
        adv_v = (vc[:, 1:] ** 2 - vc[:, :-1] ** 2) / h + (cross[1:, 1:-1] - cross[:-1, 1:-1]) / h
        self.u[1:-1, :] += self.dt * (nu * lap_u - adv_u)
        self.v[:, 1:-1] += self.dt * (nu * lap_v - adv_v)

    def project(self, cycles):
        h, dt = self.h, self.dt
        div = (self.u[1:, :] - self.u[:-1, :]) / h + (self.v[:, 1:] - self.v[:, :-1]) / h
        self.p = self.mg.solve(div / dt, self.p, cycles)
        self.u[1:-1, :] -= dt * (self.p[1:, :] - self.p[:-1, :]) / h
        self.v[:, 1:-1] -= dt * (self.p[:, 1:] - self.p[:, :-1]) / h

    def run(self, steps):
        for _ in range(steps):
            self.predictor()
            self.project(2)
            self.kinetic.append(0.5 * self.h ** 2 * ((self.u ** 2).sum() + (self.v ** 2).sum()))

    def vorticity(self):
        return ((self.v[1:, 1:-1] - self.v[:-1, 1:-1]) - (self.u[1:-1, 1:] - self.u[1:-1, :-1])) / self.h

    def streamfunction(self):
        return np.concatenate([np.zeros((self.n + 1, 1)), np.cumsum(self.u, axis=1) * self.h], axis=1)


def hll_flux(left, right, gamma):
    """Flux for arrays of states (3, faces)."""
    def split(q):
        u = q[1] / q[0]
        p = (gamma - 1.0) * (q[2] - 0.5 * q[0] * u * u)
        c = np.sqrt(gamma * p / q[0])
        return u, p, c, np.stack([q[1], q[1] * u + p, (q[2] + p) * u])

    ul, pl, cl, fl = split(left)
    ur, pr, cr, fr = split(right)
    sl = np.minimum(ul - cl, ur - cr)
    sr = np.maximum(ul + cl, ur + cr)
    mid = (sr * fl - sl * fr + sl * sr * (right - left)) / (sr - sl)
    return np.where(sl >= 0.0, fl, np.where(sr <= 0.0, fr, mid))


def limited_slopes(q):
    """minmod slopes, cell by cell"""
    m, n = q.shape
    s = np.zeros_like(q)
    for k in range(m):
        for i in range(1, n - 1):
            a = q[k, i] - q[k, i - 1]
            b = q[k, i + 1] - q[k, i]
            if a * b > 0.0:
                s[k, i] = a if abs(a) < abs(b) else b
    return s


def shock_tube(cells, steps, gamma=1.4):
    dx = 1.0 / cells
    x = (np.arange(cells) + 0.5) * dx
    rho = np.where(x < 0.5, 1.0, 0.125)
    p = np.where(x < 0.5, 1.0, 0.1)
    q = np.stack([rho, np.zeros(cells), p / (gamma - 1.0)])
    t = 0.0
    for _ in range(steps):
        u = q[1] / q[0]
        c = np.sqrt(gamma * (gamma - 1.0) * (q[2] / q[0] - 0.5 * u * u))
        dt = 0.4 * dx / float(np.max(np.abs(u) + c))
        s = limited_slopes(q)
        flux = hll_flux(q[:, :-1] + 0.5 * s[:, :-1], q[:, 1:] - 0.5 * s[:, 1:], gamma)
        q[:, 1:-1] -= dt / dx * (flux[:, 1:] - flux[:, :-1])
        t += dt
    return q, t


def thomas(a, b, c, d):
    """One tridiagonal system (developed channel profile), forward elimination and back substitution."""
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        w = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / w
        dp[i] = (d[i] - a[i] * dp[i - 1]) / w
    for i in range(n - 2, -1, -1):
        dp[i] -= cp[i] * dp[i + 1]
    return dp


def main():
    flow = Cavity()
    flow.run(25)
    omega = flow.vorticity()
    psi = flow.streamfunction()
    print("cavity: kinetic energy %.8f, divergence residual %.3e" % (flow.kinetic[-1], flow.mg.residuals[0]))
    print("        strongest vorticity %.6f, psi min %.8f" % (np.abs(omega).max(), psi.min()))
    q, t = shock_tube(200, 25)
    print("tube:   t %.6f, mass %.8f" % (t, q[0].sum() / 200))
    m = 60
    y = (np.arange(m) + 0.5) / m
    visc = 1.0 + 4.0 * y * (1.0 - y)
    face = np.concatenate([[2.0 * visc[0]], 0.5 * (visc[1:] + visc[:-1]), [2.0 * visc[-1]]])
    lower, upper = -face[:-1].copy(), -face[1:].copy()
    diag = face[:-1] + face[1:]
    profile = thomas(lower, diag, upper, np.full(m, 1.0 / m ** 2))
    print("channel: centre velocity %.8f" % profile[m // 2])
    np.savez(sys.argv[1], u=flow.u, v=flow.v, p=flow.p, omega=omega, psi=psi, kinetic=np.array(flow.kinetic),
             tube=q, profile=profile)


if __name__ == "__main__":
    main()
