"""Conjunction screening of a debris catalogue over a few hours: perigee/apogee filter, two-body
propagation, closest approach on the coarse grid, parabolic refinement, collision probability."""
import math
import sys
from dataclasses import dataclass

import numpy as np

MU = 398600.4418
RE = 6378.137


@dataclass
class Elements:
    a: np.ndarray
    e: np.ndarray
    inc: np.ndarray
    raan: np.ndarray
    argp: np.ndarray
    m0: np.ndarray

    def __len__(self):
        return self.a.size

    def perigee(self):
        return self.a * (1.0 - self.e) - RE

    def apogee(self):
        return self.a * (1.0 + self.e) - RE

    def rotation(self):
        ci, si = np.cos(self.inc), np.sin(self.inc)
        co, so = np.cos(self.raan), np.sin(self.raan)
        cw, sw = np.cos(self.argp), np.sin(self.argp)
        r = np.empty((len(self), 3, 2))
        r[:, 0, 0] = co * cw - so * sw * ci
        r[:, 1, 0] = so * cw + co * sw * ci
        r[:, 2, 0] = sw * si
        r[:, 0, 1] = -co * sw - so * cw * ci
        r[:, 1, 1] = -so * sw + co * cw * ci
        r[:, 2, 1] = cw * si
        return r


@dataclass
class Screening:
    gate_km: float = 60.0
    pad_km: float = 25.0
    radius_m: float = 12.0
    sigma_km: float = 25.0


def catalogue(n, seed):
    rng = np.random.default_rng(seed)
    a = RE + rng.normal(790.0, 45.0, n)
    e = np.abs(rng.normal(0.0, 0.004, n)) + 1e-4
    inc = np.radians(rng.choice([65.8, 74.0, 82.9, 98.6], n) + rng.normal(0, 0.2, n))
    raan, argp, m0 = rng.uniform(0, 2 * np.pi, (3, n))
    return Elements(a, e, inc, raan, argp, m0)


def solve_kepler(m, e, tol=1e-13, itmax=20):
    m = np.mod(m, 2 * np.pi)
    ecc = m + e * np.sin(m)
    it = 0
    while it < itmax:
        d = (ecc - e * np.sin(ecc) - m) / (1.0 - e * np.cos(ecc))
        ecc = ecc - d
        it += 1
        if np.max(np.abs(d)) < tol:
            break
    return ecc


def ephemeris(el, times):
    n = np.sqrt(MU / el.a ** 3)
    m = el.m0[:, None] + n[:, None] * times[None, :]
    ecc = solve_kepler(m, el.e[:, None])
    plane = np.empty((len(el), 2, times.size))
    plane[:, 0] = el.a[:, None] * (np.cos(ecc) - el.e[:, None])
    plane[:, 1] = (el.a * np.sqrt(1 - el.e ** 2))[:, None] * np.sin(ecc)
    return np.einsum("nij,njt->nti", el.rotation(), plane)


def candidate_pairs(el, pad):
    lo, hi = el.perigee(), el.apogee()
    gap = np.maximum(lo[:, None], lo[None, :]) - np.minimum(hi[:, None], hi[None, :])
    keep = np.triu(gap < pad, k=1)
    return np.argwhere(keep)


def closest_approach(pos, pairs):
    npairs = pairs.shape[0]
    nt = pos.shape[1]
    dmin = np.full(npairs, np.inf)
    when = np.zeros(npairs, dtype=np.int64)
    for p in range(npairs):
        i = pairs[p, 0]
        j = pairs[p, 1]
        best = np.inf
        arg = 0
        for t in range(nt):
            dx = pos[i, t, 0] - pos[j, t, 0]
            dy = pos[i, t, 1] - pos[j, t, 1]
            dz = pos[i, t, 2] - pos[j, t, 2]
            d2 = dx * dx + dy * dy + dz * dz
            if d2 < best:
                best = d2
                arg = t
        dmin[p] = math.sqrt(best)
        when[p] = arg
    return dmin, when


def refine(pos, pairs, when, step):
    """Parabola through the squared range at the grid minimum and its neighbours."""
    k = np.clip(when, 1, pos.shape[1] - 2)
    i, j = pairs[:, 0], pairs[:, 1]
    f = []
    for s in (-1, 0, 1):
        diff = pos[i, k + s] - pos[j, k + s]
        f.append(np.sum(diff ** 2, axis=1))
    fm, f0, fp = f
    curv = fm - 2.0 * f0 + fp
    shift = np.where(curv > 0, 0.5 * (fm - fp) / np.where(curv > 0, curv, 1.0), 0.0)
    shift = np.clip(shift, -1.0, 1.0)
    miss2 = f0 - 0.25 * (fm - fp) * shift
    return np.sqrt(np.maximum(miss2, 0.0)), (k + shift) * step


def alert_messages(pairs, miss, tca, gate):
    lines = []
    for (i, j), d, t in sorted(zip(pairs.tolist(), miss.tolist(), tca.tolist()), key=lambda r: r[1]):
        if d >= gate or len(lines) == 5:
            break
        lines.append(f"{i:04d}/{j:04d} miss {d:9.4f} km at {t:9.3f} s")
    return lines


def main():
    cfg = Screening()
    el = catalogue(54, seed=77)
    step = 45.0
    times = np.arange(0.0, 6300.0, step)
    pos = ephemeris(el, times)
    pairs = candidate_pairs(el, cfg.pad_km)[::4]
    dmin, when = closest_approach(pos, pairs)
    miss, tca = refine(pos, pairs, when, step)
    x = miss / cfg.sigma_km
    prob = (cfg.radius_m / 1000.0) ** 2 / (2 * cfg.sigma_km ** 2) * np.exp(-0.5 * np.minimum(x, 30.0) ** 2)
    risk = np.zeros(len(el))
    np.add.at(risk, pairs[:, 0], prob)
    np.add.at(risk, pairs[:, 1], prob)
    print(f"{len(el)} objects, {len(pairs)} pairs screened over {times[-1]:.0f} s")
    for line in alert_messages(pairs, miss, tca, 400.0):
        print(line)
    print(f"closest grid distance {dmin.min():.6f} km, mean {dmin.mean():.6f} km")
    np.savez(sys.argv[1], pos=pos[:, ::20], pairs=pairs, dmin=dmin, when=when, miss=miss, tca=tca, risk=risk)


if __name__ == "__main__":
    main()
