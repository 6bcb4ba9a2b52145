# Isotope envelopes in a mass spectrum: elemental formulas to isotope patterns, a simulated profile
# spectrum, baseline, peaks, and matching of candidate envelopes over charge states with deconvolution.
import re
import sys
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

ISOTOPES = {
    "H": ((1.00782503, 0.999885), (2.01410178, 0.000115)),
    "C": ((12.0, 0.9893), (13.00335484, 0.0107)),
    "N": ((14.0030740, 0.99636), (15.0001089, 0.00364)),
    "O": ((15.9949146, 0.99757), (16.9991317, 0.00038), (17.9991596, 0.00205)),
    "S": ((31.9720712, 0.9499), (32.9714589, 0.0075), (33.9678670, 0.0425)),
}
RESIDUES = {"A": "C3H5NO", "G": "C2H3NO", "S": "C3H5NO2", "P": "C5H7NO", "V": "C5H9NO", "T": "C4H7NO2",
            "L": "C6H11NO", "N": "C4H6N2O2", "D": "C4H5NO3", "Q": "C5H8N2O2", "K": "C6H12N2O",
            "E": "C5H7NO3", "M": "C5H9NOS", "F": "C9H9NO", "R": "C6H12N4O", "Y": "C9H9NO2", "C": "C3H5NOS"}
PROTON = 1.00727647


@dataclass
class Candidate:
    name: str
    masses: np.ndarray
    weights: np.ndarray


def parse_formula(text):
    counts = {}
    for element, number in re.findall(r"([A-Z][a-z]?)(\d*)", text):
        counts[element] = counts.get(element, 0) + int(number or 1)
    return counts


def peptide_formula(sequence):
    total = {"H": 2, "O": 1}
    for residue in sequence:
        for element, number in parse_formula(RESIDUES[residue]).items():
            total[element] = total.get(element, 0) + number
    return total


def merge(a, b, keep=10):
    """Product of two patterns on nominal mass offsets: (abundance, mean mass) pairs."""
    (pa, ma), (pb, mb) = a, b
    p = np.convolve(pa, pb)
    m = np.convolve(pa * ma, pb) + np.convolve(pa, pb * mb)
    return p[:keep], (m / p)[:keep]


def element_power(element, count):
    """Pattern of many atoms of one element, by squaring."""
    masses, shares = np.array(ISOTOPES[element]).T
    base = (shares, masses)
    if count == 1:
        return base
    half = element_power(element, count // 2)
    whole = merge(half, half)
    return merge(whole, base) if count % 2 else whole


def envelope(name, formula):
    pattern = None
    for element, count in sorted(formula.items()):
        part = element_power(element, count)
        pattern = part if pattern is None else merge(pattern, part)
    p, m = pattern
    big = p > 1e-4 * p.max()
    return Candidate(name, m[big], p[big] / p[big].sum())


def random_peptides(rng, count):
    letters = list(RESIDUES)
    return ["".join(letters[k] for k in rng.integers(0, len(letters), size))
            for size in rng.integers(7, 22, count)]


def peak_shape(mz, centre, resolution=12000.0):
    sigma = centre / resolution / 2.3548
    return np.exp(-0.5 * ((mz - centre) / sigma) ** 2)


def simulate(mz, present, rng):
    """Profile spectrum: envelopes at charges 1 to 3, chemical baseline and counting noise."""
    spectrum = np.zeros_like(mz)
    for candidate, amount in present:
        for z, share in ((1, 0.25), (2, 0.55), (3, 0.20)):
            for m, w in zip((candidate.masses + z * PROTON) / z, candidate.weights):
                spectrum += amount * share * w * peak_shape(mz, m)
    baseline = 60.0 * np.exp(-mz / 700.0) + 6.0 * (1.0 + np.sin(mz / 90.0))
    clean = spectrum + baseline
    return clean + np.sqrt(clean) * 0.6 * rng.standard_normal(len(mz))


def smooth(y, width=7, order=3):
    """Savitzky-Golay by its least-squares kernel."""
    t = np.arange(-(width // 2), width // 2 + 1)
    kernel = np.linalg.pinv(np.vander(t, order + 1, increasing=True).astype(float))[0]
    return ndimage.correlate1d(y, kernel, mode="nearest")


def subtract_baseline(y, window=1501):
    low = ndimage.minimum_filter1d(ndimage.uniform_filter1d(y, 31), window)
    low = ndimage.maximum_filter1d(low, window)
    return y - ndimage.gaussian_filter1d(low, window / 6.0)


def noise_level(y):
    """Robust noise of the second differences."""
    d = np.diff(y, 2)
    return 1.4826 * np.median(np.abs(d - np.median(d))) / np.sqrt(6.0)


def pick_peaks(mz, y, threshold):
    """Local maxima above the threshold with a parabolic centre."""
    top = (y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:]) & (y[1:-1] > threshold)
    i = np.flatnonzero(top) + 1
    left, mid, right = y[i - 1], y[i], y[i + 1]
    shift = 0.5 * (left - right) / (left - 2.0 * mid + right)
    step = mz[1] - mz[0]
    return mz[i] + shift * step, mid - 0.25 * (left - right) * shift


def match(candidate, peaks, heights, tolerance=2.5e-5):
    """Best cosine score over charges against the nearest peaks, with the charge and peaks found."""
    best = (0.0, 0, 0)
    for z in (1, 2, 3):
        expected = (candidate.masses + z * PROTON) / z
        k = np.clip(np.searchsorted(peaks, expected), 1, len(peaks) - 1)
        k = np.where(expected - peaks[k - 1] < peaks[k] - expected, k - 1, k)
        hit = np.abs(peaks[k] - expected) < tolerance * expected
        seen = np.where(hit, heights[k], 0.0)
        norm = np.sqrt(np.sum(seen**2) * np.sum(candidate.weights**2))
        score = float(np.sum(seen * candidate.weights) / norm) if norm > 0 else 0.0
        if hit[:2].all() and score > best[0]:
            best = (score, z, int(hit.sum()))
    return best


def deconvolve(mz, y, accepted, iterations=60):
    """Amounts of the accepted envelopes by multiplicative updates of a non-negative fit."""
    design = np.zeros((len(accepted) + 1, len(mz)))
    for row, (candidate, z) in zip(design, accepted):
        for m, w in zip((candidate.masses + z * PROTON) / z, candidate.weights):
            row += w * peak_shape(mz, m)
    design[-1] = 1e-3
    data = np.maximum(y, 0.0)
    gram, right = design @ design.T, design @ data
    x = np.ones(len(design))
    for _ in range(iterations):
        x = x * right / (gram @ x)
    residual = y - x @ design
    return x[:-1], np.sqrt(np.mean(residual**2))


def main():
    rng = np.random.default_rng(1913)
    mz = np.arange(300.0, 1500.0, 0.01)
    sequences = random_peptides(rng, 90)
    candidates = [envelope(s, peptide_formula(s)) for s in sequences]
    present = [(c, float(a)) for c, a in zip(candidates[:14], 3000.0 + 9000.0 * rng.random(14))]
    y = subtract_baseline(smooth(simulate(mz, present, rng)))
    sigma = noise_level(y)
    peaks, heights = pick_peaks(mz, y, 40.0)
    scores = [match(c, peaks, heights) for c in candidates]
    accepted = [(c, z) for c, (score, z, hits) in zip(candidates, scores) if score > 0.97 and hits >= 3]
    amounts, misfit = deconvolve(mz, y, accepted)
    true_names = {c.name for c, _ in present}
    found = sum(c.name in true_names for c, _ in accepted)
    print(f"{len(peaks)} peaks, noise {sigma:.4f}, accepted {len(accepted)}, of them present {found}")
    print(f"largest amount {amounts.max():.1f}, misfit {misfit:.3f}, mean score {np.mean([s[0] for s in scores]):.4f}")
    np.savez(sys.argv[1], peaks=peaks, heights=heights, amounts=amounts, scores=np.array(scores), spectrum=y[::50])


if __name__ == "__main__":
    main()
