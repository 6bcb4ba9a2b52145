# Harmonic analysis of hourly sea level at many gauges: constituents from Doodson numbers,
# least squares with gaps and despiking, skew residuals, high waters, co-tidal table.
import math
import sys
from collections import namedtuple

import numpy as np

Constituent = namedtuple("Constituent", "name speed species")

DOODSON = """
M2  2  0  0  0
S2  2  2 -2  0
N2  2 -1  0  1
K2  2  2  0  0
K1  1  1  0  0
O1  1 -1  0  0
P1  1  1 -2  0
Q1  1 -2  0  1
M4  4  0  0  0
MS4 4  2 -2  0
Mf  0  2  0  0
"""
# degrees per hour: lunar time, moon's longitude, sun's longitude, perigee
RATES = (14.4920521, 0.5490165, 0.0410686, 0.0046418)


def constituents(text=DOODSON):
    out = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        name, *numbers = line.split()
        numbers = [int(v) for v in numbers]
        out.append(Constituent(name, math.radians(sum(n * r for n, r in zip(numbers, RATES))), numbers[0]))
    return out


def basis(t, cons):
    """Columns: mean, drift, then cosine and sine of each constituent."""
    cols = [np.ones_like(t), t / t[-1] - 0.5]
    for c in cons:
        cols.append(np.cos(c.speed * t))
        cols.append(np.sin(c.speed * t))
    return np.stack(cols, axis=1)


def true_constants(cons, stations, rng):
    size = {0: 0.03, 1: 0.15, 2: 0.5, 4: 0.04}
    amp = np.array([[size[c.species]] for c in cons]).T * rng.gamma(6.0, 1.0 / 6.0, (stations, len(cons)))
    phase = rng.random((stations, len(cons))) * 2 * np.pi
    return amp, phase


def observe(t, cons, amp, phase, rng):
    """Sea level with weather, spikes and outages (NaN)."""
    speed = np.array([c.speed for c in cons])
    level = np.zeros((len(amp), len(t)))
    for s in range(len(amp)):
        level[s] = (amp[s] * np.cos(speed * t[:, None] - phase[s])).sum(axis=1)
        weather = rng.standard_normal(len(t)) * 0.03
        for i in range(1, len(t)):
            weather[i] += 0.95 * weather[i - 1]
        level[s] += weather + 1.5
        spikes = rng.integers(0, len(t), 5)
        level[s, spikes] += 2.5
        begin = rng.integers(50, len(t) - 150)
        level[s, begin:begin + 60 + 5 * (s % 7)] = np.nan
    return level


class Analysis:
    def __init__(self, t, cons):
        self.t, self.cons = t, cons
        self.a = basis(t, cons)

    def fit(self, level, rounds=3, cut=4.0):
        """Coefficients of one gauge; samples far from the fit are dropped and the fit is redone."""
        good = np.isfinite(level)
        for _ in range(rounds):
            a = self.a[good]
            normal = a.T @ a
            coef = np.linalg.solve(normal, a.T @ level[good])
            resid = level - self.a @ coef
            sigma = np.sqrt(np.mean(resid[good] ** 2))
            keep = np.isfinite(level) & (np.abs(np.where(np.isfinite(level), resid, 0.0)) < cut * sigma)
            if np.array_equal(keep, good):
                break
            good = keep
        cov = np.linalg.inv(normal) * sigma**2
        return coef, np.sqrt(np.diag(cov)), good

    def fit_all(self, levels):
        coefs, errors, masks = [], [], []
        for level in levels:
            c, e, m = self.fit(level)
            coefs.append(c)
            errors.append(e)
            masks.append(m)
        return np.array(coefs), np.array(errors), np.array(masks)

    def predict(self, coefs):
        return coefs @ self.a.T


def constants(coefs):
    c, s = coefs[:, 2::2], coefs[:, 3::2]
    return np.hypot(c, s), np.mod(np.arctan2(s, c), 2 * np.pi)


def phase_gap(a, b):
    return np.abs(np.angle(np.exp(1j * (a - b))))


def residual_spectrum(levels, tide, good):
    """Mean windowed periodogram of the residuals, outages filled with zero."""
    n = levels.shape[1]
    window = np.hanning(n)
    total = np.zeros(n // 2 + 1)
    for s in range(len(levels)):
        r = np.where(good[s], levels[s] - tide[s], 0.0)
        total += np.abs(np.fft.rfft((r - r.mean()) * window)) ** 2
    return total / len(levels) / (window**2).sum()


def high_waters(series, min_gap=8):
    """Parabola through each maximum, at least min_gap hours from the last one taken."""
    out = []
    values = series.tolist()
    last = -min_gap
    for i in range(1, len(values) - 1):
        lo, mid, hi = values[i - 1:i + 2]
        if mid <= lo or mid < hi or i - last < min_gap:
            continue
        off = 0.5 * (lo - hi) / (lo - 2 * mid + hi)
        out.append((i + off, mid - 0.25 * (lo - hi) * off))
        last = i
    return out


def form_number(amp, names):
    k = {n: i for i, n in enumerate(names)}
    return (amp[:, k["K1"]] + amp[:, k["O1"]]) / (amp[:, k["M2"]] + amp[:, k["S2"]])


def surge_return(levels, tide, good, steps=(0.05, 0.1, 0.2, 0.3)):
    resid = np.where(good, levels - tide, -np.inf)
    return np.array([(resid > s).sum(axis=1) for s in steps])


def main():
    rng = np.random.default_rng(1911)
    cons = constituents()
    t = np.arange(0.0, 24.0 * 200)
    amp0, phase0 = true_constants(cons, 24, rng)
    levels = observe(t, cons, amp0, phase0, rng)
    work = Analysis(t, cons)
    coefs, errors, good = work.fit_all(levels)
    tide = work.predict(coefs)
    amp, phase = constants(coefs)
    spectrum = residual_spectrum(levels, tide, good)
    form = form_number(amp, [c.name for c in cons])
    surges = surge_return(levels, tide, good)
    worst = phase_gap(phase, phase0)[:, 0].max()
    highs = [high_waters(tide[s, :24 * 15]) for s in range(0, 24, 6)]
    mean_high = [sum(h for _, h in w) / len(w) for w in highs]
    print(f"M2 amplitude of station 0: {amp[0, 0]:.4f} +- {errors[0, 2]:.4f} m, true {amp0[0, 0]:.4f}")
    print(f"worst M2 phase error {np.degrees(worst):.3f} deg, samples kept {np.count_nonzero(good)}")
    print(f"form number {form.min():.3f} to {form.max():.3f}, surges above 0.2 m: {surges[2].sum()} h")
    print("mean high water", " ".join(f"{v:.4f}" for v in mean_high))
    np.savez(sys.argv[1], amp=amp, phase=phase, errors=errors, spectrum=spectrum, form=form, surges=surges,
             mean_high=np.array(mean_high))


if __name__ == "__main__":
    main()
