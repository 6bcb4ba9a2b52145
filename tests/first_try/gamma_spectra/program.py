"""Gamma spectroscopy chain.

List-mode events of a germanium detector are corrected for gain drift and sorted, freed from the
continuum (SNIP), searched for peaks, fitted and calibrated against a line library.
"""
import bisect
import sys

import numpy as np
from scipy import ndimage, special

CHANNELS = 4096
LIBRARY = """
Am-241     59.541      35.9         158000
Co-57      122.061     85.6         271.7
Ba-133     276.399     7.16         3849
Ba-133     302.851     18.34        3849
Ba-133     356.013     62.05        3849
Cs-137     661.657     85.1         10976
Y-88       898.042     93.7         106.6
Y-88       1836.063    99.2         106.6
Co-60      1173.228    99.85        1925
Co-60      1332.492    99.98        1925
"""


class Line:
    def __init__(self, nuclide, energy, intensity, half_life):
        self.nuclide, self.energy = nuclide, energy
        self.intensity, self.half_life = intensity / 100.0, half_life

    def strength(self, age):
        return self.intensity * 0.5 ** (age / self.half_life)


def read_library(text):
    lines = []
    for row in text.strip().splitlines():
        nuclide, *numbers = row.split()
        lines.append(Line(nuclide, *map(float, numbers)))
    return sorted(lines, key=lambda line: line.energy)


def true_efficiency(energy):
    x = np.log(energy / 1000.0)
    return 0.02 * np.exp(-0.85 * x - 0.12 * x**2) * (1 - np.exp(-((energy / 95.0) ** 2)))


def true_channel(energy, drift=0.0):
    return (energy * (1 + drift) + 3.1) / 0.4827 + 4.0e-6 * energy**2


def events(lines, ages, activity, rng):
    """Pulse heights and times of a run: full-energy events, Compton continuum and exponential background."""
    heights, times = [], []
    for line in lines:
        n = int(activity * line.strength(ages[line.nuclide]) * true_efficiency(line.energy))
        t = rng.uniform(0, 1, n)
        sigma = 0.75 * np.sqrt(1 + 0.0025 * line.energy)
        heights.append(true_channel(line.energy, 0.0011 * t) + sigma / 0.4827 * rng.standard_normal(n))
        times.append(t)
        edge = line.energy / (1 + 255.5 / line.energy)
        m = int(2.4 * n)
        t = rng.uniform(0, 1, m)
        heights.append(true_channel(edge * np.sqrt(rng.uniform(0.002, 1, m)) * rng.normal(1, 0.06, m), 0.0011 * t))
        times.append(t)
    m = 90000
    heights.append(rng.exponential(900.0, m) + 40.0)
    times.append(rng.uniform(0, 1, m))
    return np.concatenate(heights), np.concatenate(times)


class Spectrum:
    def __init__(self, counts, live):
        self.counts = counts
        self.live = live

    @classmethod
    def from_events(cls, heights, live=1.0):
        k = np.floor(heights).astype(np.int64)
        ok = (k >= 0) & (k < CHANNELS)
        return cls(np.bincount(k[ok], minlength=CHANNELS).astype(float), live)

    def snip(self, widest=34):
        """Statistics-sensitive peak clipping with a decreasing window on the LLS scale."""
        v = np.log(np.log(np.sqrt(self.counts + 1) + 1) + 1)
        for p in range(widest, 0, -1):
            clipped = v.copy()
            clipped[p:-p] = np.minimum(v[p:-p], 0.5 * (v[:-2 * p] + v[2 * p:]))
            v = clipped
        return (np.exp(np.exp(v) - 1) - 1) ** 2 - 1

    def second_difference(self, width):
        """Mariscotti's smoothed second difference in units of its error."""
        kernel = np.arange(-4.0 * width, 4.0 * width + 1)
        kernel = (1 - (kernel / width) ** 2) * np.exp(-0.5 * (kernel / width) ** 2)
        kernel -= kernel.mean()
        var = ndimage.convolve1d(self.counts, kernel**2, mode="nearest")
        return ndimage.convolve1d(self.counts, kernel, mode="nearest") / np.sqrt(var + 1.0)


def drift(heights, times, slices, window):
    """Relative gain per time slice from the cross-correlation with the first slice around a strong peak."""
    edges = np.linspace(0, 1, slices + 1)
    grid = np.geomspace(window[0], window[1], 2049)
    hist = np.empty((slices, 2048))
    for s in range(slices):
        inside = (times >= edges[s]) & (times < edges[s + 1])
        hist[s] = np.histogram(heights[inside], bins=grid)[0]
    hist = ndimage.gaussian_filter1d(hist, 3.0, axis=1)
    hist -= hist.mean(axis=1, keepdims=True)
    gains = np.ones(slices)
    for s in range(1, slices):
        corr = np.fft.irfft(np.fft.rfft(hist[s], 4096) * np.conj(np.fft.rfft(hist[0], 4096)))
        corr = np.roll(corr, 100)[:201]
        k = np.argmax(corr[1:-1]) + 1
        shift = k - 100 + 0.5 * (corr[k - 1] - corr[k + 1]) / (corr[k - 1] - 2 * corr[k] + corr[k + 1])
        gains[s] = (grid[1] / grid[0]) ** shift
    return heights / np.interp(times, 0.5 * (edges[:-1] + edges[1:]), gains)


def search(score, threshold, apart):
    """Local maxima above the threshold, strongest first, none closer than `apart`."""
    s = score.tolist()
    top = [k for k in range(1, len(s) - 1) if s[k] > threshold and s[k] > s[k - 1] and s[k] >= s[k + 1]]
    taken = []
    for k in sorted(top, key=lambda k: -s[k]):
        at = bisect.bisect(taken, k)
        if (at == 0 or k - taken[at - 1] > apart) and (at == len(taken) or taken[at] - k > apart):
            taken.insert(at, k)
    return taken


def fit_peak(net, variance, centre, half=14, rounds=8):
    """Gauss-Newton fit of area, position, width and a constant; binned Gaussian through erf."""
    x = np.arange(centre - half, centre + half + 1)
    y, w = net[x], 1.0 / np.maximum(variance[x], 1.0)
    p = np.array([y.sum(), centre + 0.5, 3.0, 0.0])
    for _ in range(rounds):
        a, b = (x - p[1]) / p[2], (x + 1 - p[1]) / p[2]
        shape = 0.5 * (special.erf(b / np.sqrt(2)) - special.erf(a / np.sqrt(2)))
        ga, gb = (np.exp(-0.5 * v**2) / np.sqrt(2 * np.pi) for v in (a, b))
        jac = np.stack([shape, p[0] * (ga - gb) / p[2], p[0] * (ga * a - gb * b) / p[2], np.ones(len(x))], axis=1)
        rest = y - p[0] * shape - p[3]
        normal = (jac * w[:, None]).T @ jac
        p = p + 0.8 * np.linalg.solve(normal, (jac * w[:, None]).T @ rest)
        p[2] = np.clip(p[2], 1.0, 8.0)
    return p, np.sqrt(np.diag(np.linalg.inv(normal)))


def identify(positions, lines, gain, offset, tolerance=2.5):
    """Walks both sorted lists and pairs peaks with library lines, following the local deviation."""
    pairs, i, bias = [], 0, 0.0
    energies = [line.energy for line in lines]
    for j, pos in enumerate(positions.tolist()):
        guess = gain * pos + offset + bias
        while i + 1 < len(energies) and abs(energies[i + 1] - guess) < abs(energies[i] - guess):
            i += 1
        if abs(energies[i] - guess) < tolerance and (not pairs or pairs[-1][1] != i):
            pairs.append((j, i))
            bias = energies[i] - gain * pos - offset
    return pairs


def weighted_poly(x, y, sy, degree):
    a = np.vander(x, degree + 1) / sy[:, None]
    coef = np.linalg.lstsq(a, y / sy, rcond=None)[0]
    return coef, np.sqrt(np.mean((a @ coef - y / sy) ** 2))


def main():
    rng = np.random.default_rng(241)
    lines = read_library(LIBRARY)
    ages = {line.nuclide: 40.0 * (1 + k % 5) for k, line in enumerate(lines)}
    heights, times = events(lines, ages, 1.1e6, rng)
    raw = Spectrum.from_events(heights)
    spectrum = Spectrum.from_events(drift(heights, times, 10, (2200.0, 2900.0)))
    background = spectrum.snip()
    score = spectrum.second_difference(3)
    found = [k for k in search(score, 7.3, 9) if k > 100]
    net = spectrum.counts - background
    fits = [fit_peak(net, spectrum.counts + background, k) for k in found]
    peaks, errors = np.array([f[0] for f in fits]), np.array([f[1] for f in fits])
    pairs = identify(peaks[:, 1], lines, 0.4827, -3.1)
    j = np.array([a for a, _ in pairs])
    energy = np.array([lines[b].energy for _, b in pairs])
    strength = np.array([lines[b].strength(ages[lines[b].nuclide]) for _, b in pairs])
    cal, quality = weighted_poly(peaks[j, 1] / CHANNELS, energy, errors[j, 1] * 0.4827, 2)
    width, _ = weighted_poly(energy / 1000, (0.4827 * peaks[j, 2]) ** 2, 0.05 * np.ones(len(j)), 1)
    eff = peaks[j, 0] / (strength * 1.1e6)
    curve, _ = weighted_poly(np.log(energy / 1000), np.log(eff), errors[j, 0] / peaks[j, 0], 4)
    print(f"{len(heights)} events, {len(found)} peaks, {len(pairs)} identified")
    print("calibration:", " ".join(f"{c:.4g}" for c in cal), f"residual {quality:.3f} sigma")
    print(f"resolution terms {width[1]:.4f} {width[0]:.4f} keV2, efficiency at 662 keV {np.exp(np.polyval(curve, np.log(0.661657))):.5f}")
    print(f"largest bin {raw.counts.max():.0f} -> {spectrum.counts.max():.0f}, continuum {background.sum() / spectrum.counts.sum():.4f}")
    np.savez(sys.argv[1], background=background, score=score, peaks=peaks, errors=errors, cal=cal, eff=eff, curve=curve)


if __name__ == "__main__":
    main()
