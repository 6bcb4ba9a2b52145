"""2-D acoustic wave with absorbing layer, receivers, checkpoints; class hierarchy-free solver with callbacks and properties."""
import argparse
from pathlib import Path

import numpy as np


def ricker(f, dt, nt, *, delay=None):
    t = np.arange(nt) * dt - (delay if delay is not None else 1.0 / f)
    a = (np.pi * f * t) ** 2
    return (1 - 2 * a) * np.exp(-a)


def sponge(shape, width, strength=0.015):
    damp = np.ones(shape)
    for k in range(width):
        d = np.exp(-((strength * (width - k)) ** 2))
        damp[k, :] *= d
        damp[-k - 1, :] *= d
        damp[:, k] *= d
        damp[:, -k - 1] *= d
    return damp


class Wave2D:
    """Leapfrog in time, fourth order in space."""

    C0, C1, C2 = -5.0 / 2.0, 4.0 / 3.0, -1.0 / 12.0

    def __init__(self, velocity, h, dt, *, width=8):
        self.c2 = (velocity * dt / h) ** 2
        self.shape = velocity.shape
        self.p = np.zeros(self.shape)
        self.p_old = np.zeros_like(self.p)
        self.damp = sponge(self.shape, width)
        self.dt = dt
        self.step_count = 0
        self.checkpoints = {}

    @property
    def time(self):
        return self.step_count * self.dt

    def laplacian(self):
        p = self.p
        lap = np.zeros_like(p)
        core = p[2:-2, 2:-2]
        lap[2:-2, 2:-2] = (
            2 * self.C0 * core
            + self.C1 * (p[1:-3, 2:-2] + p[3:-1, 2:-2] + p[2:-2, 1:-3] + p[2:-2, 3:-1])
            + self.C2 * (p[:-4, 2:-2] + p[4:, 2:-2] + p[2:-2, :-4] + p[2:-2, 4:])
        )
        return lap

    def advance(self, source, where):
        new = 2 * self.p - self.p_old + self.c2 * self.laplacian()
        new[where] += source
        self.p_old, self.p = self.p * self.damp, new * self.damp
        self.step_count += 1

    def run(self, wavelet, where, receivers, *, every=0):
        rows, cols = receivers
        traces = np.empty((len(wavelet), len(rows)))
        for n, s in enumerate(wavelet):
            self.advance(s, where)
            traces[n] = self.p[rows, cols]
            if every and n % every == 0:
                self.checkpoints[n] = self.p.copy()
        return traces


def first_arrivals(traces, dt, fraction=0.2):
    level = fraction * np.abs(traces).max(axis=0)
    above = np.abs(traces) > level
    return np.where(above.any(axis=0), above.argmax(axis=0) * dt, np.nan)


def spectrum(traces, dt):
    win = np.hanning(len(traces))[:, None]
    spec = np.abs(np.fft.rfft(traces * win, axis=0)) ** 2
    freq = np.fft.rfftfreq(len(traces), dt)
    peak = freq[spec.mean(axis=1).argmax()]
    return freq, spec, peak


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--n", type=int, default=64)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--freq", type=float, default=12.0)
    args = parser.parse_args()
    vel = np.full((args.n, args.n), 1500.0)
    vel[args.n // 2:, :] = 2200.0
    h, dt = 5.0, 0.001
    sim = Wave2D(vel, h, dt)
    rec = (np.full(10, 12), np.linspace(12, args.n - 13, 10).astype(int))
    traces = sim.run(ricker(args.freq, dt, args.steps), (args.n // 3, args.n // 2), rec, every=40)
    arr = first_arrivals(traces, dt)
    freq, spec, peak = spectrum(traces, dt)
    print(f"t={sim.time:.3f} peak={peak:.2f} Hz rms={np.sqrt(np.mean(sim.p**2)):.6e} checkpoints={sorted(sim.checkpoints)}")
    print(f"first arrivals {np.nanmin(arr):.3f}..{np.nanmax(arr):.3f}")
    np.savez(args.out, traces=traces, p=sim.p, arr=arr, spec=spec, c40=sim.checkpoints[40])


if __name__ == "__main__":
    main()
