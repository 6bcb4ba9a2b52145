"""Match tandem mass spectra against a small protein database (tryptic peptides, singly charged b and y ions).

Spectra are simulated from known peptides, so the share of right answers is known.
"""
import sys

import numpy as np

MONO = {
    "G": 57.02146, "A": 71.03711, "S": 87.03203, "P": 97.05276, "V": 99.06841, "T": 101.04768, "C": 160.03065,
    "L": 113.08406, "I": 113.08406, "N": 114.04293, "D": 115.02694, "Q": 128.05858, "K": 128.09496, "E": 129.04259,
    "M": 131.04049, "H": 137.05891, "F": 147.06841, "R": 156.10111, "Y": 163.06333, "W": 186.07931,
}
PROTON = 1.00727646688
WATER = 18.0105647
BIN = 1.0005079
NBINS = 1600


def random_proteins(rng, count, length):
    letters = np.array(list("GASPVTCLNDQKEMHFRYW"))
    freq = np.array([7, 8, 7, 5, 7, 5, 1, 16, 4, 5, 4, 7, 6, 2, 2, 4, 6, 3, 1], dtype=float)
    for _ in range(count):
        yield "".join(rng.choice(letters, size=length, p=freq / freq.sum()))


def digest(protein, shortest=7, longest=16):
    """Cut after K and R, not before P."""
    start = 0
    for i, aa in enumerate(protein):
        last = i == len(protein) - 1
        if last or (aa in "KR" and protein[i + 1] != "P"):
            if shortest <= i + 1 - start <= longest:
                yield protein[start:i + 1]
            start = i + 1


def residue_matrix(peptides, longest):
    """Residue masses, one peptide a row, padded with zeros; and the lengths."""
    masses = np.zeros((len(peptides), longest))
    lengths = np.zeros(len(peptides), dtype=np.int64)
    for row, pep in enumerate(peptides):
        lengths[row] = len(pep)
        for col, aa in enumerate(pep):
            masses[row, col] = MONO[aa]
    return masses, lengths


def fragment_ions(masses, lengths):
    """b and y series (m/z) and which entries are real fragments."""
    prefix = np.cumsum(masses, axis=1)
    total = prefix[:, -1]
    b = prefix + PROTON
    y = total[:, None] - prefix + WATER + PROTON
    real = np.arange(masses.shape[1])[None, :] < (lengths - 1)[:, None]
    return b, y, real, total + WATER


def theoretical(b, y, real, nbins):
    """Binned theoretical spectra, weight 50 at the ion and 25 beside it."""
    out = np.zeros((len(b), nbins))
    rows = np.broadcast_to(np.arange(len(b))[:, None], b.shape)[real]
    for series in (b, y):
        col = (series[real] / BIN + 0.4).astype(np.int64)
        for shift, weight in ((-1, 25.0), (0, 50.0), (1, 25.0)):
            c = np.clip(col + shift, 0, nbins - 1)
            out[rows, c] = np.maximum(out[rows, c], weight)
    return out


def simulate(rng, b, y, real, picks):
    """A spectrum is a pair (m/z sorted, intensity)."""
    for p in picks:
        ions = np.concatenate([b[p][real[p]], y[p][real[p]]])
        ions = ions[rng.random(ions.size) < 0.75]
        noise = rng.uniform(120.0, 1500.0, 60)
        mz = np.concatenate([ions + rng.normal(0.0, 0.02, ions.size), noise])
        inten = np.concatenate([rng.lognormal(3.0, 0.6, ions.size), rng.lognormal(1.6, 0.7, noise.size)])
        order = np.argsort(mz)
        yield mz[order], inten[order]


def bin_spectrum(mz, inten, nbins):
    """Largest root intensity in each bin, then each of ten windows scaled to 50."""
    binned = np.zeros(nbins)
    idx = np.minimum((mz / BIN + 0.4).astype(np.int64), nbins - 1)
    np.maximum.at(binned, idx, np.sqrt(inten))
    windows = binned.reshape(10, -1)
    top = windows.max(axis=1, keepdims=True)
    scaled = np.where(windows > 0.05 * binned.max(), 50.0 * windows / np.where(top > 0, top, 1.0), 0.0)
    return scaled.ravel()


def xcorr_transform(spectrum, reach=75):
    """Subtract the mean of the neighbourhood, so that a plain dot product is the fast xcorr."""
    n = len(spectrum)
    running = np.zeros(n + 1)
    acc = 0.0
    for i in range(n):
        acc += spectrum[i]
        running[i + 1] = acc
    out = np.empty(n)
    for i in range(n):
        lo = max(0, i - reach)
        hi = min(n, i + reach + 1)
        out[i] = spectrum[i] - (running[hi] - running[lo] - spectrum[i]) / (2.0 * reach)
    return out


def matched_ions(mz, series, real, tolerance):
    """How many fragments of each candidate have a peak within the tolerance."""
    right = np.clip(np.searchsorted(mz, series), 1, len(mz) - 1)
    gap = np.minimum(np.abs(series - mz[right - 1]), np.abs(mz[right] - series))
    return ((gap <= tolerance) & real).sum(axis=1)


def search_one(mz, inten, precursor, library, window=60.0):
    spectrum = xcorr_transform(bin_spectrum(mz, inten, NBINS))
    score = library["theory"] @ spectrum * 1e-4
    near = np.abs(library["mass"] - precursor) <= window
    score = np.where(near, score, -np.inf)
    hits = (matched_ions(mz, library["b"], library["real"], 0.06)
            + matched_ions(mz, library["y"], library["real"], 0.06))
    best = int(np.argmax(score))
    first = score[best]
    score[best] = -np.inf
    second = score.max()
    return best, first, (first - second) / first, hits[best]


def main():
    rng = np.random.default_rng(5150)
    peptides = sorted({pep for prot in random_proteins(rng, 12, 420) for pep in digest(prot)})
    masses, lengths = residue_matrix(peptides, 16)
    b, y, real, neutral = fragment_ions(masses, lengths)
    library = {"theory": theoretical(b, y, real, NBINS), "mass": neutral, "b": b, "y": y, "real": real}

    picks = rng.choice(len(peptides), size=12, replace=False)
    error = rng.normal(0.0, 0.01, picks.size)
    found, score, delta, ions = [], [], [], []
    for k, (mz, inten) in enumerate(simulate(rng, b, y, real, picks)):
        best, s, d, h = search_one(mz, inten, neutral[picks[k]] + error[k], library)
        found.append(best)
        score.append(s)
        delta.append(d)
        ions.append(h)

    right = sum(int(f == p) for f, p in zip(found, picks))
    print(f"{len(peptides)} peptides, {right} of {len(picks)} spectra right")
    for f, s, d in list(zip(found, score, delta))[:3]:
        print(f"  {peptides[f]:<18s} xcorr {s:.5f}  delta {d:.5f}")
    np.savez(sys.argv[1], found=np.array(found), score=np.array(score), delta=np.array(delta), ions=np.array(ions),
             neutral=neutral, coverage=library["theory"].sum(axis=0))


if __name__ == "__main__":
    main()
