"""Melting curves of short DNA duplexes from nearest-neighbour thermodynamics (SantaLucia 1998).

Two-state curves for a probe set, a zipper model with fraying ends for every probe, a scan of
self-dimers, and a GC/stability profile of the target region.
"""
import random
import sys

import numpy as np

R = 1.987e-3  # kcal / (mol K)
BASES = "ACGT"
NEAREST = {  # dH kcal/mol, dS cal/(mol K)
    "AA": (-7.9, -22.2), "AT": (-7.2, -20.4), "TA": (-7.2, -21.3), "CA": (-8.5, -22.7),
    "GT": (-8.4, -22.4), "CT": (-7.8, -21.0), "GA": (-8.2, -22.2), "CG": (-10.6, -27.2),
    "GC": (-9.8, -24.4), "GG": (-8.0, -19.9),
}


def complement(seq):
    return seq.translate(str.maketrans("ACGT", "TGCA"))[::-1]


def stacking_tables():
    """16-entry dH and dS tables indexed by 4*first + second."""
    dh = np.zeros(16)
    ds = np.zeros(16)
    for pair, (h, s) in NEAREST.items():
        for p in (pair, complement(pair)):
            k = 4 * BASES.index(p[0]) + BASES.index(p[1])
            dh[k] = h
            ds[k] = s * 1e-3
    return dh, ds


def random_region(length, seed):
    gen = random.Random(seed)
    out = []
    gc = 0.5
    while len(out) < length:
        if len(out) % 150 == 0:
            gc = gen.uniform(0.35, 0.65)
        out.append(gen.choice("GC") if gen.random() < gc else gen.choice("AT"))
    return "".join(out)


def encode(seq):
    return np.array([BASES.index(c) for c in seq], dtype=np.int64)


def probes(region, length, stride):
    """Yields (start, sequence) of the tiled probes that pass a simple filter on homopolymers."""
    for start in range(0, len(region) - length + 1, stride):
        seq = region[start:start + length]
        if any(b * 6 in seq for b in BASES):
            continue
        yield start, seq


def two_state(codes, dh_table, ds_table, kelvin, strand=1.0e-6, sodium=0.1):
    """Fraction of duplex of each probe over temperature; codes is (probes, length)."""
    step = 4 * codes[:, :-1] + codes[:, 1:]
    dh = dh_table[step].sum(axis=1) + 0.2
    ds = ds_table[step].sum(axis=1) - 5.7e-3
    at_end = ((codes[:, 0] == 0) | (codes[:, 0] == 3)).astype(float) + ((codes[:, -1] == 0) | (codes[:, -1] == 3))
    dh = dh + 2.2 * at_end
    ds = ds + 6.9e-3 * at_end + 0.368e-3 * (codes.shape[1] - 1) * np.log(sodium)
    k = np.exp(-(dh[:, None] - kelvin * ds[:, None]) / (R * kelvin))
    a = k * strand
    theta = a / (1.0 + a + np.sqrt(1.0 + 2.0 * a))
    tm = dh / (ds + R * np.log(strand / 4.0)) - 273.15
    return theta, tm


def zipper(codes, dh_table, ds_table, kelvin, nucleation=1.0e-4):
    """Mean fraction of closed pairs when the helix is one contiguous block (both ends fray)."""
    nprobe, length = codes.shape
    weight = np.zeros((nprobe, len(kelvin)))
    closed = np.zeros((nprobe, len(kelvin)))
    block = np.zeros((nprobe, len(kelvin)))
    pairs = np.zeros((nprobe, len(kelvin)))
    for i in range(1, length):
        step = 4 * codes[:, i - 1] + codes[:, i]
        s = np.exp(-(dh_table[step][:, None] - kelvin * ds_table[step][:, None]) / (R * kelvin))
        # blocks that end with the pair i: sum of weights, and of weight times number of pairs
        pairs = s * (pairs + block + 2.0 * nucleation)
        block = s * (block + nucleation)
        weight += block
        closed += pairs
    return closed / ((1.0 + weight) * length)


def melting_peak(theta, celsius, window=5):
    """Negative derivative of the smoothed curves and the position and width of its peak."""
    kernel = np.ones(window) / window
    smooth = np.zeros_like(theta)
    for i in range(theta.shape[0]):
        padded = np.concatenate([np.full(window // 2, theta[i, 0]), theta[i], np.full(window // 2, theta[i, -1])])
        smooth[i] = np.convolve(padded, kernel, mode="valid")
    slope = -np.gradient(smooth, celsius, axis=1)
    at = slope.argmax(axis=1)
    top = slope.max(axis=1)
    wide = (slope > 0.5 * top[:, None]).sum(axis=1) * (celsius[1] - celsius[0])
    return slope, celsius[at], top, wide


def dimer_scores(codes):
    """Best ungapped self-dimer of each probe: number of Watson-Crick pairs minus half the mismatches."""
    nprobe, length = codes.shape
    best = np.full(nprobe, -1.0e9)
    best_shift = np.zeros(nprobe, dtype=np.int64)
    for p in range(nprobe):
        for shift in range(-length + 4, length - 3):
            score = 0.0
            for i in range(max(0, shift), min(length, length + shift)):
                other = codes[p, length - 1 - (i - shift)]
                score += 1.0 if codes[p, i] + other == 3 else -0.5
            if score > best[p]:
                best[p] = score
                best_shift[p] = shift
    return best, best_shift


def stability_profile(codes, dh_table, ds_table, window, kelvin=310.15):
    """Sliding-window free energy and GC fraction along the region."""
    step = 4 * codes[:-1] + codes[1:]
    dg = dh_table[step] - kelvin * ds_table[step]
    total = np.concatenate([[0.0], np.cumsum(dg)])
    gc = np.concatenate([[0], np.cumsum((codes == 1) | (codes == 2))])
    energy = (total[window:] - total[:-window]) / window
    content = (gc[window:] - gc[:-window]) / window
    return energy, content


def longest_hairpin(seq, loop=4):
    """Longest stem found by extending outwards from every possible loop."""
    best = (0, -1)
    pair = {"A": "T", "T": "A", "G": "C", "C": "G"}
    for centre in range(len(seq)):
        left, right = centre, centre + loop + 1
        stem = 0
        while left >= 0 and right < len(seq) and pair[seq[left]] == seq[right]:
            stem += 1
            left -= 1
            right += 1
        if stem > best[0]:
            best = (stem, centre)
    return best


if __name__ == "__main__":
    region = random_region(1200, seed=11)
    dh_table, ds_table = stacking_tables()
    celsius = np.linspace(20.0, 99.0, 317)
    kelvin = celsius + 273.15

    starts, sequences = zip(*probes(region, length=20, stride=32))
    codes = np.stack([encode(s) for s in sequences])
    theta, tm = two_state(codes, dh_table, ds_table, kelvin)
    fray = zipper(codes, dh_table, ds_table, kelvin)
    slope, peak, height, wide = melting_peak(theta * fray, celsius)
    score, shift = dimer_scores(codes)
    energy, content = stability_profile(encode(region), dh_table, ds_table, window=25)
    stem, centre = longest_hairpin(region)

    rank = np.lexsort((starts, np.round(tm, 6)))
    print(f"{len(starts)} probes, Tm {tm.min():.3f} .. {tm.max():.3f} C, mean {tm.mean():.4f}")
    for n, k in enumerate(rank[::-1][:4]):
        print(f"  {n + 1}. {sequences[k]}  Tm {tm[k]:.3f}  peak {peak[k]:.2f}  dimer {score[k]:.1f}")
    print(f"weakest window at {int(np.round(energy, 6).argmin())}: {energy.min():.4f} kcal/mol per step, hairpin stem {stem} at {centre}")
    np.savez(sys.argv[1], theta=theta, tm=tm, fray=fray, slope=slope, peak=peak, height=height, wide=wide,
             score=score, shift=shift, energy=energy, content=content, rank=rank, starts=np.array(starts))
