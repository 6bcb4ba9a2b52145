# Hearing aid simulation: a linear-phase filter bank, per-band wide dynamic range compression with attack
# and release, output limiting, and level statistics against a prescribed gain.
import sys

import numpy as np

FS = 16000
AUDIOGRAM = {250: 20.0, 500: 25.0, 1000: 35.0, 2000: 50.0, 4000: 65.0, 6000: 70.0}


class FilterBank:
    """Windowed-sinc bands on a log frequency scale that add up to a delay."""

    def __init__(self, edges, taps=129):
        self.edges = edges
        self.taps = taps
        self.bands = self.design()

    def design(self):
        n = np.arange(self.taps) - (self.taps - 1) / 2
        window = 0.54 + 0.46 * np.cos(2 * np.pi * n / self.taps)
        low = [np.zeros(self.taps)]
        for edge in self.edges:
            low.append(2 * edge / FS * np.sinc(2 * edge / FS * n) * window)
        delta = np.zeros(self.taps)
        delta[(self.taps - 1) // 2] = 1.0
        low.append(delta)
        return np.diff(np.stack(low), axis=0)

    def analyse(self, signal):
        """All bands of the signal by FFT convolution, with the group delay taken out."""
        size = 1 << (len(signal) + self.taps - 1).bit_length()
        spectrum = np.fft.rfft(signal, size)
        out = np.fft.irfft(np.fft.rfft(self.bands, size, axis=1) * spectrum, size, axis=1)
        start = (self.taps - 1) // 2
        return out[:, start:start + len(signal)]

    def response(self, gains, n=512):
        """Magnitude in dB of the bank with a fixed gain per band."""
        h = np.fft.rfft(np.sum(self.bands * gains[:, None], axis=0), 2 * n)
        return 20.0 * np.log10(np.abs(h) + 1e-6)


class Compressor:
    def __init__(self, centres, loss, attack=0.005, release=0.08):
        self.gain65 = 0.46 * loss - 2.0
        self.ratio = 1.0 + loss / 45.0
        self.knee = np.full(len(centres), 45.0)
        self.limit = 100.0 + 0.1 * loss
        self.up = np.exp(-1.0 / (attack * FS))
        self.down = np.exp(-1.0 / (release * FS))

    def envelope(self, bands):
        """Peak follower with separate attack and release, sample by sample over all bands."""
        level = np.abs(bands)
        out = np.empty_like(level)
        state = np.full(len(level), 1e-4)
        for t in range(level.shape[1]):
            x = level[:, t]
            rate = np.where(x > state, self.up, self.down)
            state = rate * state + (1.0 - rate) * x
            out[:, t] = state
        return out

    def gain(self, level_db):
        """Linear below the knee, compressive above, limited at the top; dB."""
        knee, slope = self.knee[:, None], (1.0 / self.ratio - 1.0)[:, None]
        base = self.gain65[:, None] - slope * (65.0 - knee)
        above = np.maximum(level_db - knee, 0.0)
        g = base + slope * above
        g = np.minimum(g, self.limit[:, None] - level_db)
        quiet = np.clip((level_db - 15.0) / 15.0, 0.0, 1.0)
        return np.where(g > 0.0, g * quiet, g)

    def process(self, bands, calibration):
        env = self.envelope(bands)
        level_db = 20.0 * np.log10(env + 1e-7) + calibration
        gain_db = self.gain(level_db)
        return bands * 10.0 ** (gain_db / 20.0), level_db, gain_db


def speech_like(seconds, rng):
    """Voiced syllables of moving pitch with formants, bursts of friction, and room noise."""
    t = np.arange(int(seconds * FS)) / FS
    syllable = np.maximum(np.sin(2 * np.pi * 2.1 * t + 0.4 * np.sin(2 * np.pi * 0.3 * t)), 0.0) ** 0.8
    pitch = 118.0 + 22.0 * np.sin(2 * np.pi * 0.7 * t)
    phase = 2 * np.pi * 118.0 * t - 22.0 / 0.7 * np.cos(2 * np.pi * 0.7 * t)
    voice = np.zeros_like(t)
    for harmonic in range(1, 31):
        f = harmonic * pitch
        weight = sum(a / (1.0 + ((f - c) / w) ** 2) for a, c, w in
                     ((1.0, 520.0, 90.0), (0.6, 1500.0, 140.0), (0.25, 2600.0, 220.0)))
        voice += weight * np.cos(harmonic * phase + 0.3 * harmonic**2)
    hiss = np.diff(rng.standard_normal(len(t) + 2), n=2)
    friction = np.maximum(np.sin(2 * np.pi * 2.1 * t + 2.6), 0.0) ** 3
    noise = rng.standard_normal(len(t))
    return 0.02 * (syllable * voice + 0.25 * friction * hiss) + 3e-4 * noise


def band_edges(count):
    ratio = (6500.0 / 250.0) ** (1.0 / (count - 2))
    return [250.0 * ratio**k for k in range(count - 1)]


def prescribe(edges):
    """Hearing loss at the band centres from the audiogram, on a log frequency axis."""
    bounds = np.array([125.0] + edges + [FS / 2])
    centres = np.sqrt(bounds[:-1] * bounds[1:])
    f = np.log2(list(AUDIOGRAM))
    return centres, np.interp(np.log2(centres), f, list(AUDIOGRAM.values()))


def percentiles(level_db, marks=(30, 65, 99), frame=400):
    """Level percentiles over short frames for each band, as in hearing-aid analysis."""
    n = level_db.shape[1] // frame
    frames = level_db[:, :n * frame].reshape(len(level_db), n, frame).mean(axis=2)
    return np.percentile(frames, marks, axis=1).T


def modulation(env, frame=160):
    """Share of the envelope modulation below 8 Hz, per band."""
    n = env.shape[1] // frame
    slow = env[:, :n * frame].reshape(len(env), n, frame).mean(axis=2)
    slow = slow - slow.mean(axis=1, keepdims=True)
    power = np.abs(np.fft.rfft(slow, axis=1)) ** 2
    f = np.fft.rfftfreq(n, frame / FS)
    return power[:, f < 8.0].sum(axis=1) / power.sum(axis=1)


def soft_clip(signal, ceiling):
    return ceiling * np.tanh(signal / ceiling)


def main():
    edges = band_edges(12)
    centres, loss = prescribe(edges)
    bank = FilterBank(edges)
    aid = Compressor(centres, loss)
    signal = speech_like(2.5, np.random.default_rng(440))
    bands = bank.analyse(signal)
    rebuilt = np.sqrt(np.mean((bands.sum(axis=0) - signal) ** 2) / np.mean(signal**2))
    out, level_db, gain_db = aid.process(bands, calibration=94.0)
    output = soft_clip(out.sum(axis=0), 2.0)
    before, after = percentiles(level_db), percentiles(level_db + gain_db)
    share = np.stack([modulation(10.0 ** (level_db / 20.0)), modulation(10.0 ** ((level_db + gain_db) / 20.0))])
    static = bank.response(10.0 ** (gain_db.mean(axis=1) / 20.0))
    print(f"{len(bands)} bands, perfect reconstruction {rebuilt < 1e-9}")
    print(f"input rms {np.sqrt(np.mean(signal**2)):.5f}, output rms {np.sqrt(np.mean(output**2)):.4f}")
    print("gain dB " + " ".join(f"{g:.2f}" for g in gain_db.mean(axis=1)))
    print(f"dynamic range {np.mean(before[:, 2] - before[:, 0]):.2f} -> {np.mean(after[:, 2] - after[:, 0]):.2f} dB")
    np.savez(sys.argv[1], output=output, before=before, after=after, share=share, static=static)


if __name__ == "__main__":
    main()
