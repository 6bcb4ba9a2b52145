"""Pitch tracking of a sung phrase: normalised autocorrelation per frame, Viterbi path, notes, resynthesis."""
import sys
from typing import NamedTuple

import numpy as np
from scipy.signal import lfilter

RATE = 16000
FRAME, HOP = 1024, 160
FMIN, FMAX = 80.0, 500.0
SCORE = "A3:0.40 C4:0.35 -:0.15 E4:0.45 D4:0.30 -:0.10 G3:0.50"
STEP = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}


class Note(NamedTuple):
    midi: float
    start: float
    seconds: float


def parse_score(text):
    """(frequency or 0, seconds) of each word."""
    for word in text.split():
        name, seconds = word.split(":")
        if name == "-":
            yield 0.0, float(seconds)
        else:
            midi = 12 * (int(name[1]) + 1) + STEP[name[0]]
            yield 440.0 * 2.0 ** ((midi - 69) / 12), float(seconds)


def synthesize(score, rng):
    """Harmonic voice with vibrato, two formants and breath noise."""
    parts = []
    for freq, seconds in score:
        t = np.arange(int(seconds * RATE)) / RATE
        if freq == 0.0:
            parts.append(np.zeros(len(t)))
            continue
        phase = 2 * np.pi * freq * t + 0.9 * np.sin(2 * np.pi * 5.5 * t)
        tone = np.zeros(len(t))
        for h in range(1, 13):
            tone += np.sin(h * phase) / h
        attack = np.minimum(1.0, np.minimum(t, t[-1] - t) / 0.03)
        parts.append(tone * attack)
    x = np.concatenate(parts)
    for f, width in ((650.0, 90.0), (1150.0, 120.0)):
        r = np.exp(-np.pi * width / RATE)
        x = x + 0.15 * lfilter([1 - r], [1.0, -2 * r * np.cos(2 * np.pi * f / RATE), r * r], x)
    return x + 0.02 * rng.normal(size=len(x))


def frames_of(x):
    count = 1 + (len(x) - FRAME) // HOP
    for k in range(count):
        yield x[k * HOP:k * HOP + FRAME]


def autocorrelation(frame, max_lag):
    """Normalised by the energies of the two overlapping parts."""
    frame = frame - frame.mean()
    spec = np.fft.rfft(frame, 2 * FRAME)
    raw = np.fft.irfft(np.abs(spec) ** 2)[:max_lag + 2]
    energy = np.concatenate([[0.0], np.cumsum(frame ** 2)])
    lags = np.arange(max_lag + 2)
    head = energy[FRAME - lags]
    tail = energy[-1] - energy[lags]
    return raw / np.sqrt(head * tail + 1e-9)


def candidates(nac, min_lag, max_lag, keep=4):
    """Lags (with parabolic refinement) and strengths of the best peaks, padded with zeros."""
    mid = nac[min_lag:max_lag + 1]
    left, right = nac[min_lag - 1:max_lag], nac[min_lag + 1:max_lag + 2]
    peaks = np.nonzero((mid > left) & (mid >= right) & (mid > 0.25))[0]
    order = np.argsort(-mid[peaks], kind="stable")[:keep]
    chosen = peaks[order]
    bend = left[chosen] - 2 * mid[chosen] + right[chosen]
    shift = 0.5 * (left[chosen] - right[chosen]) / bend
    lag, strength = np.zeros(keep), np.zeros(keep)
    lag[:len(chosen)] = min_lag + chosen + shift
    strength[:len(chosen)] = mid[chosen] - 0.25 * (left[chosen] - right[chosen]) * shift
    return lag, strength


class PitchTracker:
    def __init__(self, jump=0.4, voicing=0.45, octave=0.06):
        self.jump, self.voicing, self.octave = jump, voicing, octave
        self.min_lag, self.max_lag = int(RATE / FMAX), int(RATE / FMIN)

    def analyse(self, x):
        lags, strengths = [], []
        for frame in frames_of(x):
            lag, strength = candidates(autocorrelation(frame, self.max_lag), self.min_lag, self.max_lag)
            lags.append(lag)
            strengths.append(strength)
        return np.array(lags), np.array(strengths)

    def local_score(self, lags, strengths):
        """Score of each candidate; column 0 is the unvoiced state."""
        valid = lags > 0
        safe = np.where(valid, lags, 1.0)
        score = np.where(valid, strengths - self.octave * np.log2(safe * FMIN / RATE + 1.0), -1e3)
        return np.column_stack([np.full(len(lags), self.voicing), score])

    def viterbi(self, lags, score):
        """Best path through the candidates of all frames."""
        n, m = score.shape
        logf = np.zeros((n, m))
        logf[:, 1:] = np.log2(RATE / np.where(lags > 0, lags, RATE / FMIN))
        best = score[0].copy()
        back = np.zeros((n, m), dtype=int)
        for k in range(1, n):
            cost = self.jump * np.abs(logf[k][None, :] - logf[k - 1][:, None])
            cost[0, :] = cost[:, 0] = 0.25
            cost[0, 0] = 0.0
            total = best[:, None] - cost
            back[k] = np.argmax(total, axis=0)
            best = total[back[k], np.arange(m)] + score[k]
        path = np.zeros(n, dtype=int)
        path[-1] = np.argmax(best)
        for k in range(n - 1, 0, -1):
            path[k - 1] = back[k, path[k]]
        return path

    def track(self, x):
        lags, strengths = self.analyse(x)
        path = self.viterbi(lags, self.local_score(lags, strengths))
        rows = np.nonzero(path > 0)[0]
        f0 = np.zeros(len(path))
        f0[rows] = RATE / lags[rows, path[rows] - 1]
        return f0


def segment(f0, shortest=8):
    """Runs of voiced frames that stay within a semitone and a half of their running mean."""
    notes, run, start = [], [], 0
    for k, f in enumerate(f0.tolist() + [0.0]):
        midi = 69 + 12 * np.log2(f / 440.0) if f > 0 else None
        if midi is not None and (not run or abs(midi - sum(run) / len(run)) < 1.5):
            if not run:
                start = k
            run.append(midi)
            continue
        if len(run) >= shortest:
            notes.append(Note(sum(run) / len(run), start * HOP / RATE, len(run) * HOP / RATE))
        run, start = ([midi], k) if midi is not None else ([], k)
    return notes


def resynthesize(f0, amplitude, harmonics=8):
    """Sum of harmonics with the phase integrated from the track."""
    at = np.arange(len(f0) * HOP)
    centre = np.arange(len(f0)) * HOP + HOP / 2
    f = np.interp(at, centre, f0)
    phase = 2 * np.pi * np.cumsum(f) / RATE
    y = np.zeros(len(at))
    for h in range(1, harmonics + 1):
        y += np.where(h * f < RATE / 2, np.sin(h * phase), 0.0) / h
    return y * np.interp(at, centre, amplitude)


def loudness(x):
    return np.array([np.sqrt(np.mean(frame ** 2)) for frame in frames_of(x)])


def main():
    rng = np.random.default_rng(440)
    x = synthesize(parse_score(SCORE), rng)
    f0 = PitchTracker().track(x)
    level = loudness(x)
    notes = segment(f0)
    y = resynthesize(f0, np.where(f0 > 0, level, 0.0))
    voiced = f0 > 0
    print(f"{len(f0)} frames, {voiced.sum()} voiced, median {np.median(f0[voiced]):.2f} Hz, loudest {level.max():.4f}")
    for note in notes:
        print(f"  {note.start:6.2f} s  MIDI {note.midi:.2f}  {note.seconds:.2f} s")
    print(f"resynthesis rms {np.sqrt(np.mean(y ** 2)):.4f}")
    np.savez(sys.argv[1], f0=f0, level=level, y=y, notes=np.array(notes))


if __name__ == "__main__":
    main()
