# QRS detection and heart-rate variability on a simulated two-minute Holter strip
import sys
import numpy as np
from scipy import signal

FS = 200.0


class EcgSource:
    """Sum-of-Gaussians ECG with respiration drift, mains hum and muscle noise."""

    WAVES = [(-0.20, 0.025, 0.12), (-0.035, 0.010, -0.10), (0.0, 0.011, 1.05),
             (0.032, 0.011, -0.22), (0.24, 0.045, 0.28)]

    def __init__(self, seconds, seed):
        self.rng = np.random.default_rng(seed)
        self.t = np.arange(int(seconds * FS)) / FS
        rr = 0.82 + 0.05 * np.sin(2 * np.pi * 0.1 * 0.8 * np.arange(200)) + 0.015 * self.rng.standard_normal(200)
        beats = 0.6 + np.cumsum(rr)
        self.beats = beats[beats < seconds - 0.6]

    def clean(self):
        x = np.zeros_like(self.t)
        for b in self.beats:
            for delay, width, amp in self.WAVES:
                x += amp * np.exp(-0.5 * ((self.t - b - delay) / width) ** 2)
        return x

    def noisy(self):
        x = self.clean()
        x += 0.25 * np.sin(2 * np.pi * 0.23 * self.t)
        x += 0.05 * np.sin(2 * np.pi * 50.0 * self.t + 0.4)
        x += 0.03 * self.rng.standard_normal(self.t.size)
        return x


class QrsDetector:
    def __init__(self, fs, window=0.15, refractory=0.25):
        self.fs = fs
        self.win = int(window * fs)
        self.refractory = int(refractory * fs)
        self.signal_level = 0.0
        self.noise_level = 0.0
        self.threshold = 0.0

    def bandpass(self, x):
        spec = np.fft.rfft(x - x.mean())
        f = np.fft.rfftfreq(x.size, 1.0 / self.fs)
        gain = 1.0 / (1.0 + (5.0 / np.maximum(f, 1e-3)) ** 8) / (1.0 + (f / 15.0) ** 8)
        return np.fft.irfft(spec * gain, n=x.size)

    def slope_energy(self, y):
        d = np.zeros_like(y)
        d[2:-2] = (2 * y[4:] + y[3:-1] - y[1:-3] - 2 * y[:-4]) * (self.fs / 8.0)
        return d ** 2

    def integrate(self, e):
        c = np.concatenate(([0.0], np.cumsum(e)))
        w = self.win
        out = np.empty_like(e)
        out[w - 1:] = (c[w:] - c[:-w]) / w
        out[:w - 1] = c[1:w] / w
        return out

    def candidates(self, m):
        inner = (m[1:-1] > m[:-2]) & (m[1:-1] >= m[2:])
        return np.flatnonzero(inner) + 1

    def classify(self, m, peaks):
        """Adaptive Pan-Tompkins levels: each decision moves the next threshold."""
        self.signal_level = float(m[: int(2 * self.fs)].max()) * 0.6
        self.noise_level = float(m[: int(2 * self.fs)].mean()) * 0.5
        kept = []
        last = -10 ** 9
        for p in peaks:
            self.threshold = self.noise_level + 0.25 * (self.signal_level - self.noise_level)
            height = m[p]
            if height > self.threshold and p - last > self.refractory:
                self.signal_level = 0.125 * height + 0.875 * self.signal_level
                kept.append(p)
                last = p
            else:
                self.noise_level = 0.125 * height + 0.875 * self.noise_level
        return np.array(kept, dtype=np.int64)

    def locate(self, y, marks):
        """R wave = largest filtered sample within the integration window before each mark."""
        r = np.empty(marks.size, dtype=np.int64)
        back = 2 * self.win
        for k in range(marks.size):
            lo = max(0, marks[k] - back)
            best = lo
            for i in range(lo, marks[k] + 1):
                if y[i] > y[best]:
                    best = i
            r[k] = best
        return r


def average_beat(x, r, half):
    offsets = np.arange(-half, half)
    use = r[(r >= half) & (r < x.size - half)]
    stack = x[use[:, None] + offsets[None, :]]
    stack = stack - np.median(stack, axis=1, keepdims=True)
    template = stack.mean(axis=0)
    num = stack @ template
    quality = num / np.sqrt((stack ** 2).sum(axis=1) * (template ** 2).sum())
    return template, quality


def hrv(r, fs):
    rr = np.diff(r) / fs
    drr = np.diff(rr)
    return {"mean_rr": rr.mean(), "sdnn": rr.std(ddof=1),
            "rmssd": np.sqrt(np.mean(drr ** 2)), "pnn50": np.mean(np.abs(drr) > 0.05)}, rr


def lf_hf(r, rr, fs):
    tt = np.arange(2.0, r[-1] / fs - 1.0, 0.25)
    even = np.interp(tt, r[1:] / fs, rr)
    f, p = signal.welch(even, fs=4.0, nperseg=128)
    lf = p[(f >= 0.04) & (f < 0.15)].sum()
    hf = p[(f >= 0.15) & (f < 0.40)].sum()
    return f, p, lf / hf


def main(path):
    source = EcgSource(120.0, seed=61)
    x = source.noisy()
    det = QrsDetector(FS)
    y = det.bandpass(x)
    m = det.integrate(det.slope_energy(y))
    peaks = det.candidates(m)
    marks = det.classify(m, peaks)
    r = det.locate(y, marks)
    template, quality = average_beat(y, r, 40)
    stats, rr = hrv(r, FS)
    f, p, ratio = lf_hf(r, rr, FS)

    truth = np.round(source.beats * FS).astype(np.int64)
    miss = np.abs(truth[:, None] - r[None, :]).min(axis=1) > 6
    print("beats %d detected %d missed %d" % (truth.size, r.size, int(miss.sum())))
    print("SDNN %.4f RMSSD %.4f pNN50 %.3f LF/HF %.4f" % (stats["sdnn"], stats["rmssd"], stats["pnn50"], ratio))
    np.savez(path, filtered=y, moving=m, peaks=r, template=template, quality=quality, rr=rr,
             freq=f, psd=p, stats=np.array(list(stats.values())), missed=miss)


if __name__ == "__main__":
    main(sys.argv[1])
