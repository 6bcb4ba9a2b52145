# Supercontinuum noise: generalised NLSE (dispersion to 4th order, Raman, self-steepening) for an ensemble of
# pulses with one photon per mode noise; coherence, shot-to-shot statistics, rogue wave histogram.
import sys
from collections import namedtuple
from math import factorial

import numpy as np

Fibre = namedtuple("Fibre", "betas gamma length loss f_raman tau1 tau2")
NLF = Fibre(betas=(-11.83e-3, 8.10e-5, -9.52e-8), gamma=0.11, length=0.11, loss=0.02,
            f_raman=0.18, tau1=0.0122, tau2=0.032)
C = 2.99792458e-4  # m/ps
HBAR = 1.054571817e-22  # J ps


class Grid:
    def __init__(self, n, window, lam0):
        self.n, self.dt = n, window / n
        self.t = (np.arange(n) - n // 2) * self.dt
        self.w = 2 * np.pi * np.fft.fftfreq(n, self.dt)
        self.w0 = 2 * np.pi * C / lam0
        self.ws = np.fft.fftshift(self.w)


class Propagator:
    """Symmetric split step with a Runge-Kutta nonlinear part, all pulses of a block at once."""

    def __init__(self, fibre, grid, steps):
        self.fibre, self.grid, self.steps = fibre, grid, steps
        self.h = fibre.length / steps
        disp = sum(b * grid.w**k / factorial(k) for k, b in enumerate(fibre.betas, 2))
        self.half = np.exp((1j * disp - 0.5 * fibre.loss) * self.h / 2)
        self.steep = np.clip(1 + grid.w / grid.w0, 0.0, 3.0)
        self.raman = self._raman()

    def _raman(self):
        t1, t2 = self.fibre.tau1, self.fibre.tau2
        t = np.fft.ifftshift(self.grid.t)
        hr = (t1**2 + t2**2) / (t1 * t2**2) * np.exp(-np.clip(t, 0, None) / t2) * np.sin(t / t1)
        hr[t < 0] = 0.0
        hr /= hr.sum() * self.grid.dt
        return np.fft.fft(hr) * self.grid.dt

    def rhs(self, a):
        power = np.abs(a) ** 2
        delayed = np.fft.ifft(np.fft.fft(power) * self.raman).real
        fr = self.fibre.f_raman
        src = a * ((1 - fr) * power + fr * delayed)
        return 1j * self.fibre.gamma * np.fft.ifft(self.steep * np.fft.fft(src))

    def step(self, a):
        h = self.h
        a = np.fft.ifft(self.half * np.fft.fft(a))
        k1 = self.rhs(a)
        k2 = self.rhs(a + 0.5 * h * k1)
        k3 = self.rhs(a + 0.5 * h * k2)
        k4 = self.rhs(a + h * k3)
        return np.fft.ifft(self.half * np.fft.fft(a + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)))

    def run(self, a, every):
        log = [self.monitor(a)]
        for i in range(1, self.steps + 1):
            a = self.step(a)
            if i % every == 0:
                log.append(self.monitor(a))
        return a, np.array(log)

    def monitor(self, a):
        """Mean energy, mean peak power, rms spectral width."""
        p = np.abs(a) ** 2
        s = np.abs(np.fft.fft(a)) ** 2
        norm = s.sum(axis=1)
        m1 = (s * self.grid.w).sum(axis=1) / norm
        m2 = (s * self.grid.w**2).sum(axis=1) / norm
        return p.sum(axis=1).mean() * self.grid.dt, p.max(axis=1).mean(), np.sqrt(m2 - m1**2).mean()


def launch(grid, shots, peak, width, rng):
    """sech pulses with energy jitter and one photon of random phase per mode."""
    jitter = 1 + 0.01 * rng.standard_normal(shots)
    phase = rng.uniform(0, 2 * np.pi, (shots, grid.n))
    pulse = np.sqrt(peak) / np.cosh(grid.t / width)
    photon = np.sqrt(HBAR * 1e12 * np.clip(grid.w + grid.w0, 1.0, None) * grid.n / grid.dt)
    noise = np.fft.ifft(photon * np.exp(1j * phase), axis=1)
    return pulse * np.sqrt(jitter)[:, None] + noise


def coherence(spec):
    """First-order coherence over all distinct pairs of shots."""
    m = len(spec)
    cross = np.zeros(spec.shape[1], dtype=complex)
    for i in range(m - 1):
        for j in range(i + 1, m):
            cross += np.conj(spec[i]) * spec[j]
    return np.abs(cross) / (m * (m - 1) / 2) / np.mean(np.abs(spec) ** 2, axis=0)


def correlation_map(s, groups):
    """Intensity correlation between spectral bins over the ensemble."""
    b = s[:, : s.shape[1] // groups * groups].reshape(len(s), groups, -1).sum(axis=2)
    b = b - b.mean(axis=0)
    sd = np.sqrt((b**2).mean(axis=0))
    return b.T @ b / len(s) / np.outer(sd, sd)


def solitons(p, grid, level, apart=0.02):
    """Peaks of the time traces above a level, at least `apart` from each other: rows of (shot, time, power)."""
    found = []
    for shot, row in enumerate(p):
        last = None
        for k in range(1, len(row) - 1):
            if row[k] <= level or row[k] <= row[k - 1] or row[k] < row[k + 1]:
                continue
            if last is not None and grid.t[k] - last[1] < apart:
                if row[k] > last[2]:
                    last[1:] = grid.t[k], row[k]
                continue
            last = [shot, grid.t[k], row[k]]
            found.append(last)
    return np.array(found).reshape(-1, 3)


def spectrogram(a, grid, width, hops):
    """Gated spectra of one shot."""
    out = []
    for tc in np.linspace(-0.4, 0.9, hops):
        gate = np.exp(-(((grid.t - tc) / width) ** 2))
        out.append(np.abs(np.fft.fftshift(np.fft.fft(a * gate))) ** 2)
    return np.array(out)


def main():
    grid = Grid(1024, 4.0, 0.835e-6)
    rng = np.random.default_rng(835)
    prop = Propagator(NLF, grid, 160)
    outputs, logs = [], []
    for peak in (900.0, 2600.0):
        a, log = prop.run(launch(grid, 12, peak, 0.0284, rng), 20)
        outputs.append(a)
        logs.append(log)
    rows = []
    for a, log in zip(outputs, logs):
        spec = np.fft.fftshift(np.fft.fft(a, axis=1), axes=1)
        s = np.abs(spec) ** 2
        g = coherence(spec)
        mean = s.mean(axis=0)
        weighted = (g * mean).sum() / mean.sum()
        contrast = (s.std(axis=0) * np.sqrt(mean)).sum() / (mean * np.sqrt(mean)).sum()
        rows.append((weighted, contrast, log[-1, 2]))
    p = np.abs(outputs[-1]) ** 2
    peaks = solitons(p, grid, 211.7)
    counts, edges = np.histogram(peaks[:, 2], bins=12, range=(200.0, 4987.0))
    corr = correlation_map(s, 64)
    gram = spectrogram(outputs[-1][0], grid, 0.05, 40)
    for (c, v, width), log in zip(rows, logs):
        print(f"coherence {c:.4f}, contrast {v:.4f}, width {width:.3f} rad/ps, energy ratio {log[-1, 0] / log[0, 0]:.4f}")
    print(f"{len(peaks)} solitons, strongest {peaks[:, 2].max():.2f} W, mean {peaks[:, 2].mean():.2f} W")
    np.savez(sys.argv[1], mean=mean, coherence=g, corr=corr, gram=gram, power=p, counts=counts,
             log=np.array(logs), table=np.array(rows))


if __name__ == "__main__":
    main()
