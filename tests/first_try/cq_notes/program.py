"""Polyphonic note detection from a hand-made constant-Q spectrogram."""
import sys

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

SR = 4000
HOP = 160
BINS_PER_OCTAVE = 24
FMIN = 110.0
NBINS = 72
NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]


def synthesize(score, seconds, rng):
    """Additive test piece: decaying harmonics of every (onset, duration, midi) of the score."""
    x = 0.003 * rng.standard_normal(int(seconds * SR))
    for onset, dur, midi in score:
        start, n = int(onset * SR), int(dur * SR)
        t = np.arange(n) / SR
        f0 = 440.0 * 2.0 ** ((midi - 69) / 12.0)
        env = np.exp(-1.6 * t) * np.minimum(1.0, t / 0.01) * np.minimum(1.0, (dur - t) / 0.02)
        tone = np.zeros(n)
        for h in range(1, 5):
            if h * f0 < 0.45 * SR:
                tone += np.sin(2.0 * np.pi * h * f0 * t + 0.3 * h) / h ** 1.3
        x[start:start + n] += 0.3 * env * tone
    return x


def atoms(q):
    """Yield (length, complex atom) for the bins from low to high."""
    for b in range(NBINS):
        f = FMIN * 2.0 ** (b / BINS_PER_OCTAVE)
        n = int(np.ceil(q * SR / f))
        k = np.arange(n)
        w = 0.54 - 0.46 * np.cos(2.0 * np.pi * k / (n - 1))
        yield n, (w / w.sum()) * np.exp(-2j * np.pi * q * k / n)


def constant_q(x, q):
    """Magnitudes (bin, frame); every atom is centred on the frame time."""
    nframes = 1 + (len(x) - 1) // HOP
    longest = int(np.ceil(q * SR / FMIN))
    padded = np.pad(x, longest)
    centre = longest + HOP * np.arange(nframes)
    mag = np.empty((NBINS, nframes))
    for b, (n, atom) in enumerate(atoms(q)):
        seg = sliding_window_view(padded, n)[centre - n // 2]
        mag[b] = np.abs(seg @ atom)
    return mag


def whiten(logmag, half):
    """Subtract the local mean over neighbouring bins."""
    nb, nf = logmag.shape
    out = np.zeros_like(logmag)
    for b in range(nb):
        lo = max(0, b - half)
        hi = min(nb, b + half + 1)
        for t in range(nf):
            acc = 0.0
            for k in range(lo, hi):
                acc += logmag[k, t]
            out[b, t] = max(logmag[b, t] - acc / (hi - lo), 0.0)
    return out


def salience(white, weights=(1.0, 0.7, 0.45, 0.3)):
    """Harmonic sum on the log-frequency axis."""
    sal = np.zeros_like(white)
    for h, wt in enumerate(weights, start=1):
        shift = int(round(BINS_PER_OCTAVE * np.log2(h)))
        sal[:NBINS - shift] += wt * white[shift:]
    return sal


def make_gate(high, low):
    """Return a two-threshold gate: opens at high, stays open down to low."""
    def gate(track):
        active = np.zeros(track.shape, dtype=bool)
        for p in range(track.shape[0]):
            on = False
            for t in range(track.shape[1]):
                if on:
                    on = track[p, t] > low
                else:
                    on = track[p, t] > high
                active[p, t] = on
        return active
    return gate


def onset_strength(logmag):
    flux = np.zeros(logmag.shape[1])
    rise = np.diff(logmag, axis=1)
    flux[1:] = np.where(rise > 0.0, rise, 0.0).sum(axis=0)
    smooth = np.convolve(flux, np.ones(3) / 3.0, mode="same")
    return smooth / smooth.max()


def pick_onsets(strength, delta, gap):
    """Local maxima above a floor, at least gap frames after the onset accepted before."""
    onsets = []
    last = -gap
    for t in range(1, len(strength) - 1):
        if strength[t] > delta and strength[t] >= strength[t - 1] and strength[t] > strength[t + 1]:
            if t - last >= gap:
                onsets.append(t)
                last = t
    return np.array(onsets)


def note_list(active, min_frames):
    """Text lines of the notes in the roll."""
    lines = []
    for p, row in enumerate(active):
        edge = np.flatnonzero(np.diff(np.concatenate(([0], row.astype(int), [0]))))
        for a, b in edge.reshape(-1, 2):
            if b - a >= min_frames:
                midi = 45 + p
                lines.append(f"{NAMES[midi % 12]}{midi // 12 - 1}@{a * HOP / SR:.2f}")
    return lines


def main(path):
    rng = np.random.default_rng(440)
    score = [(0.2, 0.9, 57), (0.2, 0.9, 64), (1.0, 0.7, 60), (1.5, 0.8, 67), (1.5, 0.8, 48), (2.3, 0.6, 69), (2.6, 0.5, 52)]
    x = synthesize(score, 3.3, rng)
    q = 1.0 / (2.0 ** (1.0 / BINS_PER_OCTAVE) - 1.0) * 0.8
    mag = constant_q(x, q)
    logmag = np.log1p(1000.0 * mag)
    white = whiten(logmag, 8)
    sal = salience(white)
    semitone = np.maximum(sal[0::2], sal[1::2])
    peak = semitone.max(axis=0)
    local = np.zeros_like(semitone)
    local[1:-1] = np.where((semitone[1:-1] >= semitone[:-2]) & (semitone[1:-1] >= semitone[2:]), semitone[1:-1], 0.0)
    gate = make_gate(0.55 * peak.max(), 0.3 * peak.max())
    active = gate(local)
    strength = onset_strength(logmag)
    onsets = pick_onsets(strength, 0.25, 5)
    chroma = np.zeros(12)
    np.add.at(chroma, (45 + np.arange(NBINS // 2)) % 12, semitone.sum(axis=1))
    chroma /= np.linalg.norm(chroma)

    print(f"{mag.shape[1]} frames, peak salience {peak.max():.5f}")
    print("onsets at", " ".join(f"{t * HOP / SR:.2f}" for t in onsets), "s")
    print("notes:", " ".join(note_list(active, 4)))
    print(f"strongest pitch class {NAMES[int(np.argmax(chroma))]}")
    np.savez(path, mag=mag, white=white, semitone=semitone, active=active, strength=strength,
             onsets=onsets, chroma=chroma)


if __name__ == "__main__":
    main(sys.argv[1])
