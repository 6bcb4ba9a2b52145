"""Removal of blinks, heartbeat and line noise from a synthetic EEG by independent component analysis,
then epochs around the stimuli, averages and spectra before and after."""
import sys

import numpy as np
from scipy import signal

FS = 250
N_CHANNELS = 24
N_SOURCES = 12
SECONDS = 120


def burst_train(t, starts, freq, width):
    out = np.zeros_like(t)
    for s in starts:
        out += np.exp(-((t - s) / width) ** 2) * np.sin(2 * np.pi * freq * (t - s))
    return out


def pulse_train(t, starts, width, tail=0.0):
    out = np.zeros_like(t)
    for s in starts:
        out += np.exp(-((t - s) / width) ** 2) - tail * np.exp(-((t - s - 3 * width) / (2 * width)) ** 2)
    return out


def simulate(rng):
    """Sources, channel mixture and stimulus onsets (in samples)."""
    t = np.arange(SECONDS * FS) / FS
    stim = np.sort(rng.choice(np.arange(2 * FS, (SECONDS - 2) * FS, FS // 2), 80, replace=False))
    blinks = rng.uniform(1, SECONDS - 1, 34)
    beats = np.cumsum(rng.normal(0.86, 0.05, 138)) + 0.3
    sources = np.stack([
        6.0 * pulse_train(t, blinks, 0.11, 0.3),
        3.0 * pulse_train(t, beats, 0.018, 0.35),
        1.2 * np.sin(2 * np.pi * 50.0 * t + 0.3),
        1.6 * burst_train(t, rng.uniform(0, SECONDS, 30), 10.2, 0.6),
        1.3 * burst_train(t, rng.uniform(0, SECONDS, 26), 19.0, 0.35),
        1.7 * burst_train(t, rng.uniform(0, SECONDS, 22), 6.1, 0.8),
        1.5 * pulse_train(t, stim / FS + 0.30, 0.05, 0.6),
        1.2 * pulse_train(t, stim / FS + 0.11, 0.022, 1.0),
        rng.laplace(0.0, 0.7, t.size),
        0.8 * np.sign(np.sin(2 * np.pi * 0.83 * t + 0.711)),
        0.9 * rng.laplace(0.0, 1.0, t.size) * (np.sin(2 * np.pi * 0.11 * t) > 0.6),
        1.0 * burst_train(t, rng.uniform(0, SECONDS, 40), 33.0, 0.15),
    ])
    mixing = rng.normal(0.0, 1.0, (N_CHANNELS, N_SOURCES))
    mixing[:, 0] = np.exp(-np.arange(N_CHANNELS) / 5.0) + 0.05
    data = mixing @ sources + 0.04 * rng.normal(0.0, 1.0, (N_CHANNELS, t.size))
    return data, stim


def bandpass(x, low, high, order=4):
    """Zero-phase filter in the frequency domain with Butterworth flanks."""
    f = np.fft.rfftfreq(x.shape[-1], 1.0 / FS)
    gain = 1.0 / (1.0 + (np.maximum(f, 1e-6) / high) ** (2 * order))
    gain *= 1.0 - 1.0 / (1.0 + (f / low) ** (2 * order))
    return np.fft.irfft(np.fft.rfft(x, axis=-1) * gain, n=x.shape[-1], axis=-1)


class FastICA:
    def __init__(self, n_components, seed=0, max_iter=200, tol=1e-10):
        self.n = n_components
        self.seed = seed
        self.max_iter = max_iter
        self.tol = tol
        self.iterations = 0

    def whiten(self, x):
        self.mean = x.mean(axis=1, keepdims=True)
        centred = x - self.mean
        values, vectors = np.linalg.eigh(centred @ centred.T / x.shape[1])
        values, vectors = values[::-1][:self.n], vectors[:, ::-1][:, :self.n]
        peak = np.argmax(np.abs(vectors), axis=0)
        vectors = vectors * np.sign(vectors[peak, np.arange(self.n)])
        self.whitener = (vectors / np.sqrt(values)).T
        self.dewhitener = vectors * np.sqrt(values)
        return self.whitener @ centred

    @staticmethod
    def orthogonal(w):
        values, vectors = np.linalg.eigh(w @ w.T)
        return (vectors / np.sqrt(values)) @ vectors.T @ w

    def fit(self, x):
        z = self.whiten(x)
        w = self.orthogonal(np.random.default_rng(self.seed).normal(0.0, 1.0, (self.n, self.n)))
        for self.iterations in range(1, self.max_iter + 1):
            g = np.tanh(w @ z)
            slope = (1.0 - g**2).mean(axis=1)
            new = self.orthogonal(g @ z.T / z.shape[1] - slope[:, None] * w)
            change = np.max(np.abs(np.abs((new * w).sum(axis=1)) - 1.0))
            w = new
            if change < self.tol:
                break
        self.unmixing = w @ self.whitener
        self.mixing = self.dewhitener @ w.T
        return self

    def sources(self, x):
        return self.unmixing @ (x - self.mean)

    def rebuild(self, s, keep):
        """Channels from the components that are kept."""
        return self.mixing[:, keep] @ s[keep] + self.mean


def kurtosis(s):
    c = s - s.mean(axis=1, keepdims=True)
    return (c**4).mean(axis=1) / (c**2).mean(axis=1) ** 2 - 3.0


def line_share(s, line=50.0):
    """Share of the spectral power within a hertz of the line frequency."""
    p = np.abs(np.fft.rfft(s, axis=-1)) ** 2
    f = np.fft.rfftfreq(s.shape[-1], 1.0 / FS)
    return p[:, np.abs(f - line) < 1.03].sum(axis=1) / p[:, 1:].sum(axis=1)


def beat_score(s, lo=0.7, hi=1.1):
    """Height of the autocorrelation of |s| at lags of a resting heart."""
    n = s.shape[-1]
    env = np.abs(s) - np.abs(s).mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(env, n=2 * n, axis=-1)
    auto = np.fft.irfft(np.abs(spectrum) ** 2, axis=-1)[:, :n]
    auto = auto / auto[:, :1]
    return auto[:, int(lo * FS):int(hi * FS)].max(axis=1)


def classify(features):
    """Label per component from its small feature table."""
    labels = []
    for kurt, line, beat, frontal in zip(*(features[k] for k in ("kurtosis", "line", "beat", "frontal"))):
        if line > 0.6:
            labels.append("line")
        elif kurt > 6.0 and frontal > 0.7:
            labels.append("blink")
        elif kurt > 4.0 and beat > 0.5:
            labels.append("heart")
        else:
            labels.append("brain")
    return labels


def epochs(x, stim, before=0.2, after=0.7):
    a, b = int(before * FS), int(after * FS)
    out = np.empty((len(stim), x.shape[0], a + b))
    for i, s in enumerate(stim):
        piece = x[:, s - a:s + b]
        out[i] = piece - piece[:, :a].mean(axis=1, keepdims=True)
    return out


def average(ep, limit):
    """Mean over the epochs whose peak-to-peak stays below the limit in all channels."""
    good = (ep.max(axis=2) - ep.min(axis=2)).max(axis=1) < limit
    return ep[good].mean(axis=0), good


def main():
    data, stim = simulate(np.random.default_rng(303))
    x = bandpass(data, 0.5, 70.0)
    ica = FastICA(N_SOURCES, seed=5).fit(x)
    s = ica.sources(x)
    frontal = np.abs(ica.mixing[:4]).mean(axis=0) / np.abs(ica.mixing).max(axis=0)
    features = {"kurtosis": kurtosis(s), "line": line_share(s), "beat": beat_score(s), "frontal": frontal}
    labels = classify(features)
    keep = np.array([k for k, name in enumerate(labels) if name == "brain"])
    clean = ica.rebuild(s, keep)

    limit = 17.13
    erp_raw, good_raw = average(epochs(x, stim), limit)
    erp_clean, good_clean = average(epochs(clean, stim), limit)
    freq, p_raw = signal.welch(x, FS, nperseg=500)
    _, p_clean = signal.welch(clean, FS, nperseg=500)
    line_bin = int(np.argmin(np.abs(freq - 50.0)))

    print("components: " + ", ".join(f"{n} {labels.count(n)}" for n in ("brain", "blink", "heart", "line")))
    print(f"largest kurtosis {features['kurtosis'].max():.3f}, line share {features['line'].max():.4f}")
    print(f"epochs accepted: {good_raw.sum()} raw, {good_clean.sum()} clean of {len(stim)}")
    print(f"variance {x.var():.3f} -> {clean.var():.3f}, 50 Hz power ratio {p_clean[:, line_bin].sum() / p_raw[:, line_bin].sum():.2e}")
    print(f"evoked peak {np.abs(erp_clean).max():.4f}")
    np.savez(sys.argv[1], erp_raw=erp_raw, erp_clean=erp_clean, good_raw=good_raw, good_clean=good_clean,
             p_raw=p_raw, p_clean=p_clean, keep=keep, **features)


if __name__ == "__main__":
    main()
