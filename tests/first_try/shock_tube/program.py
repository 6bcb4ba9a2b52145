"""Shock tubes (Toro's test problems) with MUSCL-Hancock and an HLLC solver, a choice of limiters,
and the exact Riemann solution for the error norms."""
import math
import sys
from dataclasses import dataclass
from enum import Enum

import numpy as np

GAMMA = 1.4
CELLS = 200
CFL = 0.45


class Limiter(Enum):
    MINMOD = "minmod"
    VAN_LEER = "van Leer"
    SUPERBEE = "superbee"

    def slope(self, a, b):
        """Limited slope from the two one-sided differences."""
        same = a * b > 0.0
        if self is Limiter.MINMOD:
            s = np.where(np.abs(a) < np.abs(b), a, b)
        elif self is Limiter.VAN_LEER:
            s = 2.0 * a * b / np.where(same, a + b, 1.0)
        else:
            s1 = np.where(np.abs(2 * a) < np.abs(b), 2 * a, b)
            s2 = np.where(np.abs(a) < np.abs(2 * b), a, 2 * b)
            s = np.where(np.abs(s1) > np.abs(s2), s1, s2)
        return np.where(same, s, 0.0)


@dataclass(frozen=True)
class Problem:
    name: str
    left: tuple          # density, velocity, pressure
    right: tuple
    diaphragm: float
    end: float


PROBLEMS = [
    Problem("sod", (1.0, 0.0, 1.0), (0.125, 0.0, 0.1), 0.5, 0.20),
    Problem("lax", (0.445, 0.698, 3.528), (0.5, 0.0, 0.571), 0.5, 0.13),
    Problem("123", (1.0, -1.2, 0.4), (1.0, 1.2, 0.4), 0.5, 0.15),
]


def conserved(w):
    rho, u, p = w
    return np.array([rho, rho * u, p / (GAMMA - 1.0) + 0.5 * rho * u * u])


def primitive(q):
    rho, mom, energy = q
    u = mom / rho
    return np.array([rho, u, (GAMMA - 1.0) * (energy - 0.5 * mom * u)])


def flux(w):
    rho, u, p = w
    energy = p / (GAMMA - 1.0) + 0.5 * rho * u * u
    return np.array([rho * u, rho * u * u + p, u * (energy + p)])


def hllc(wl, wr):
    """HLLC flux for arrays of left and right states."""
    rl, ul, pl = wl
    rr, ur, pr = wr
    cl, cr = np.sqrt(GAMMA * pl / rl), np.sqrt(GAMMA * pr / rr)
    pstar = np.maximum(0.5 * (pl + pr) - 0.125 * (ur - ul) * (rl + rr) * (cl + cr), 0.0)

    def factor(p):
        q = np.sqrt(1.0 + (GAMMA + 1.0) / (2.0 * GAMMA) * (np.maximum(pstar / p, 1.0) - 1.0))
        return q

    sl, sr = ul - cl * factor(pl), ur + cr * factor(pr)
    sm = (pr - pl + rl * ul * (sl - ul) - rr * ur * (sr - ur)) / (rl * (sl - ul) - rr * (sr - ur))
    out = np.empty_like(wl)
    fl, fr = flux(wl), flux(wr)
    ql, qr = conserved(wl), conserved(wr)

    def star(w, q, s):
        rho, u, p = w
        k = rho * (s - u) / (s - sm)
        e = q[2] / rho + (sm - u) * (sm + p / (rho * (s - u)))
        return np.array([k, k * sm, k * e])

    left = np.where(sl >= 0.0, fl, fl + sl * (star(wl, ql, sl) - ql))
    right = np.where(sr <= 0.0, fr, fr + sr * (star(wr, qr, sr) - qr))
    out[:] = np.where(sm >= 0.0, left, right)
    return out


class Tube:
    def __init__(self, problem, limiter, cells=CELLS):
        self.problem = problem
        self.limiter = limiter
        self.dx = 1.0 / cells
        self.x = (np.arange(cells) + 0.5) * self.dx
        w = np.where(self.x < problem.diaphragm, np.array(problem.left)[:, None], np.array(problem.right)[:, None])
        self.q = conserved(w)
        self.time = 0.0
        self.steps = 0

    def timestep(self, w):
        fastest = float((np.abs(w[1]) + np.sqrt(GAMMA * w[2] / w[0])).max())
        return min(CFL * self.dx / fastest, self.problem.end - self.time)

    def advance(self):
        w = primitive(self.q)
        dt = self.timestep(w)
        g = np.concatenate([w[:, :1], w[:, :1], w, w[:, -1:], w[:, -1:]], axis=1)
        d = np.diff(g, axis=1)
        slope = self.limiter.slope(d[:, :-1], d[:, 1:])
        lo, hi = g[:, 1:-1] - 0.5 * slope, g[:, 1:-1] + 0.5 * slope
        half = 0.5 * dt / self.dx * (flux(lo) - flux(hi))
        lo, hi = primitive(conserved(lo) + half), primitive(conserved(hi) + half)
        f = hllc(hi[:, :-1], lo[:, 1:])
        self.q = self.q - dt / self.dx * (f[:, 1:] - f[:, :-1])
        self.time += dt
        self.steps += 1

    def run(self):
        while self.time < self.problem.end - 1e-12:
            self.advance()
        return primitive(self.q)


def pressure_function(p, rho, pk):
    c = math.sqrt(GAMMA * pk / rho)
    if p > pk:
        a, b = 2.0 / ((GAMMA + 1.0) * rho), (GAMMA - 1.0) / (GAMMA + 1.0) * pk
        root = math.sqrt(a / (p + b))
        return (p - pk) * root, root * (1.0 - 0.5 * (p - pk) / (p + b))
    ratio = p / pk
    f = 2.0 * c / (GAMMA - 1.0) * (ratio ** ((GAMMA - 1.0) / (2.0 * GAMMA)) - 1.0)
    return f, ratio ** (-(GAMMA + 1.0) / (2.0 * GAMMA)) / (rho * c)


def star_state(left, right):
    p = 0.5 * (left[2] + right[2])
    for _ in range(60):
        fl, dl = pressure_function(p, left[0], left[2])
        fr, dr = pressure_function(p, right[0], right[2])
        new = max(p - (fl + fr + right[1] - left[1]) / (dl + dr), 1e-9)
        if abs(new - p) < 1e-14 * p:
            break
        p = new
    return p, 0.5 * (left[1] + right[1] + fr - fl)


def sample(s, state, p, u, side):
    """State at speed s on one side of the contact (side -1: left)."""
    rho, uk, pk = state
    c = math.sqrt(GAMMA * pk / rho)
    g = (GAMMA - 1.0) / (GAMMA + 1.0)
    v = side * (s - uk)
    if p > pk:
        shock = c * math.sqrt((GAMMA + 1.0) / (2.0 * GAMMA) * p / pk + (GAMMA - 1.0) / (2.0 * GAMMA))
        return state if v > shock else (rho * (p / pk + g) / (g * p / pk + 1.0), u, p)
    if v > c:
        return state
    inner = c * (p / pk) ** ((GAMMA - 1.0) / (2.0 * GAMMA))
    if side * (s - u) < inner:
        return rho * (p / pk) ** (1.0 / GAMMA), u, p
    a = 2.0 / (GAMMA + 1.0) + g / c * v
    return (rho * a ** (2.0 / (GAMMA - 1.0)), 2.0 / (GAMMA + 1.0) * (-side * c + 0.5 * (GAMMA - 1.0) * uk + s),
            pk * a ** (2.0 * GAMMA / (GAMMA - 1.0)))


def exact(problem, x):
    p, u = star_state(problem.left, problem.right)
    columns = []
    for xi in x:
        s = (xi - problem.diaphragm) / problem.end
        columns.append(sample(s, problem.left, p, u, -1) if s < u else sample(s, problem.right, p, u, 1))
    return np.array(columns).T


def main():
    errors, fields = {}, {}
    for problem in PROBLEMS:
        for limiter in Limiter:
            tube = Tube(problem, limiter)
            w = tube.run()
            truth = exact(problem, tube.x)
            errors[problem.name, limiter.value] = np.abs(w - truth).mean(axis=1)
            fields[f"{problem.name}_{limiter.name.lower()}"] = w
            l1 = errors[problem.name, limiter.value]
            print(f"{problem.name:4s} {limiter.value:9s} {tube.steps:4d} steps, L1 density {l1[0]:.5f}, "
                  f"velocity {l1[1]:.5f}, pressure {l1[2]:.5f}, mass {tube.q[0].sum() * tube.dx:.4f}")
    np.savez(sys.argv[1], errors=np.array(list(errors.values())), **fields)


if __name__ == "__main__":
    main()
