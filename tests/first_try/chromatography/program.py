#!/usr/bin/env python3
# Preparative chromatography: competitive Langmuir column (equilibrium-dispersive), Craig machine
# for a single solute, peak moments, fraction pooling and an EMG sum as detector signal.

import math
import sys

import numpy as np
from scipy.special import erfc


class Column:
    """Equilibrium-dispersive column, upwind finite volumes, explicit in time."""

    def __init__(self, length, cells, velocity, porosity, qsat, b, dispersion):
        self.dz = length / cells
        self.cells = cells
        self.u = velocity
        self.phase_ratio = (1.0 - porosity) / porosity
        self.qsat = np.asarray(qsat, dtype=float)
        self.b = np.asarray(b, dtype=float)
        self.D = dispersion
        self.c = np.zeros((len(qsat), cells))
        self.outlet = []

    def capacity(self):
        """Jacobian dq_i/dc_j in each cell, as (cells, comp, comp)."""
        denom = 1.0 + self.b @ self.c
        henry = self.qsat * self.b
        J = -np.einsum("i,ix,j->xij", henry, self.c, self.b) / denom[:, None, None] ** 2
        idx = np.arange(len(henry))
        J[:, idx, idx] += henry / denom[:, None]
        return np.eye(len(henry)) + self.phase_ratio * J

    def transport(self, inlet):
        left = np.empty_like(self.c)
        left[:, 1:] = self.c[:, :-1]
        left[:, 0] = inlet
        right = np.empty_like(self.c)
        right[:, :-1] = self.c[:, 1:]
        right[:, -1] = self.c[:, -1]
        return (-self.u * (self.c - left) / self.dz
                + self.D * (right - 2.0 * self.c + left) / self.dz ** 2)

    def advance(self, inlet, dt):
        rate = self.transport(inlet)
        A = self.capacity()
        for x in range(self.cells):
            self.c[:, x] += dt * np.linalg.solve(A[x], rate[:, x])
        self.c[self.c < 0.0] = 0.0
        self.outlet.append(self.c[:, -1].copy())

    def elute(self, feed, t_inject, t_end, dt):
        """Yields (time, outlet) while the run lasts."""
        t = 0.0
        zero = np.zeros(len(feed))
        while t < t_end - 0.5 * dt:
            self.advance(feed if t < t_inject else zero, dt)
            t += dt
            yield t, self.outlet[-1]


def craig(n_tubes, n_transfers, amount, qsat, b, v_mobile=1.0, v_stat=0.6):
    """Countercurrent distribution, Langmuir equilibrium in every tube by bisection."""
    mobile = np.zeros(n_tubes)
    stat = np.zeros(n_tubes)
    mobile[0] = amount
    for step in range(n_transfers):
        total = mobile + stat
        new_mobile = np.zeros(n_tubes)
        new_stat = np.zeros(n_tubes)
        for i in range(n_tubes):
            if total[i] <= 0.0:
                continue
            lo, hi = 0.0, total[i] / v_mobile
            while hi - lo > 1e-13 * amount:
                c = 0.5 * (lo + hi)
                if v_mobile * c + v_stat * qsat * b * c / (1.0 + b * c) > total[i]:
                    hi = c
                else:
                    lo = c
            new_mobile[i] = v_mobile * 0.5 * (lo + hi)
            new_stat[i] = total[i] - new_mobile[i]
        mobile[1:] = new_mobile[:-1]
        mobile[0] = 0.0
        stat = new_stat
    return mobile, stat


def emg(t, area, mu, sigma, tau):
    z = (sigma / tau - (t - mu) / sigma) / math.sqrt(2.0)
    return area / (2 * tau) * np.exp(0.5 * (sigma / tau) ** 2 - (t - mu) / tau) * erfc(z)


def detector_signal(t, peaks, rng):
    signal = 0.02 * t / t[-1]
    for area, mu, sigma, tau in peaks:
        signal = signal + emg(t, area, mu, sigma, tau)
    return signal + 0.004 * rng.standard_normal(t.size)


def baseline_als(y, window):
    """Rolling minimum followed by a moving average."""
    n = len(y)
    low = np.empty(n)
    for i in range(n):
        lo = max(0, i - window)
        hi = min(n, i + window + 1)
        low[i] = y[lo:hi].min()
    pad = np.pad(low, window, mode="edge")
    csum = np.concatenate([[0.0], np.cumsum(pad)])
    return (csum[2 * window + 1 :] - csum[: -2 * window - 1]) / (2 * window + 1)


def moments(t, c):
    dt = t[1] - t[0]
    m0 = m1 = m2 = 0.0
    for k in range(len(t)):
        m0 += c[k] * dt
        m1 += c[k] * t[k] * dt
        m2 += c[k] * t[k] * t[k] * dt
    mean = m1 / m0
    return m0, mean, m2 / m0 - mean * mean


def find_peaks(y, height, distance):
    """Local maxima, strongest first, each blocking its neighbourhood."""
    inner = (y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:]) & (y[1:-1] > height)
    cand = np.flatnonzero(inner) + 1
    kept = []
    for k in cand[np.argsort(-y[cand], kind="stable")]:
        if all(abs(k - other) >= distance for other in kept):
            kept.append(int(k))
    return np.array(sorted(kept))


def pool(times, profile, target, purity):
    """Extend the cut from the target's maximum both ways while the pool stays pure enough."""
    top = int(np.argmax(profile[:, target]))
    lo, hi = top, top + 1
    while True:
        best = None
        for a, b in ((lo - 1, hi), (lo, hi + 1)):
            if a < 0 or b > len(times):
                continue
            part = profile[a:b].sum(axis=0)
            if part[target] / part.sum() >= purity and (best is None or part[target] > best[0]):
                best = (part[target], a, b)
        if best is None:
            break
        _, lo, hi = best
    part = profile[lo:hi].sum(axis=0)
    return times[lo], times[hi - 1], part[target] / part.sum(), part[target] / profile[:, target].sum()


def main():
    rng = np.random.default_rng(1906)
    col = Column(0.10, 40, 0.004, 0.6, qsat=(60.0, 60.0), b=(0.008, 0.030), dispersion=1.5e-6)
    times, profile = [], []
    for t, out in col.elute(np.array([2.0, 2.0]), 8.0, 50.0, 0.5):
        times.append(t)
        profile.append(out)
    times = np.array(times)
    profile = np.array(profile)

    tubes_m, tubes_s = craig(200, 50, 80.0, 3.0, 0.8)

    t = np.linspace(0.0, 20.0, 4000)
    peaks = [(2.0, 4.0, 0.12, 0.2), (1.4, 5.6, 0.15, 0.25), (3.0, 9.5, 0.2, 0.3), (0.8, 13.0, 0.25, 0.5)]
    raw = detector_signal(t, peaks, rng)
    kernel = np.exp(-0.5 * (np.arange(-20, 21) / 7.0) ** 2)
    smooth = np.convolve(raw, kernel / kernel.sum(), mode="same")
    base = baseline_als(smooth, 300)
    signal = smooth - base
    at = find_peaks(signal, 0.2, 60)
    stats = np.array([moments(t[k - 150 : k + 250], signal[k - 150 : k + 250]) for k in at])
    plates = stats[:, 1] ** 2 / stats[:, 2]

    cuts = pool(times, profile, 0, 0.9)
    print(f"{len(times)} outlet samples, column still holds {col.c.sum() * col.dz:.8f}")
    print(f"pool {cuts[0]:.3f} .. {cuts[1]:.3f} s, purity {cuts[2]:.6f}, yield {cuts[3]:.6f}")
    print("peaks", " ".join(f"{t[k]:.4f}" for k in at), " plates", " ".join(f"{p:.3f}" for p in plates))
    print(f"craig: front tube {int(np.argmax(tubes_m + tubes_s))}, moved {tubes_m.sum():.6f} of {tubes_m.sum() + tubes_s.sum():.6f}")
    np.savez(sys.argv[1], times=times, profile=profile, column=col.c, tubes=np.stack([tubes_m, tubes_s]),
             signal=signal, base=base, peaks=at, stats=stats, plates=plates, cuts=np.array(cuts))


if __name__ == "__main__":
    main()
